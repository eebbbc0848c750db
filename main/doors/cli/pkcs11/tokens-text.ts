import { counted } from '../../../contract/ui/count-text.ts';
import { clockText } from '../../../contract/ui/time-texts.ts';
import { styled } from '../../../domain/text/style.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { ListedTokens } from '../../../operations/pkcs11/list-tokens.ts';
import { selectedBy, selectedText } from '../../../operations/pkcs11/selected.ts';
import type {
  CertificateReport,
  KeyReport,
  SlotReport,
  TokenReport,
} from '../../../operations/pkcs11/token-report.ts';
import { heading } from '../status/state-text.ts';
import { table } from '../table.ts';

/** A label has 32 bytes, a certificate’s subject may have more: so a table fits. */
const cellCharacters = 32;

/** A module with what is in its slots; `now`: milliseconds since 1970. */
export function moduleText(listed: ListedTokens, now: number): string {
  if (!listed.ok) {
    const { module, accounts, message, hint } = listed;
    const lines = [styled.red(message), ...(hint === undefined ? [] : [`hint: ${hint}`])];
    return [moduleLine(module, null, accounts), ...lines.map((line) => `  ${line}`)].join('\n');
  }
  const { module, library, accounts, slots } = listed.report;
  const tokens = slots.flatMap(({ token }) => token ?? []);
  const notes = accounts.flatMap((account) => {
    const text = selectedText(selectedBy(account, slots));
    return text === null ? [] : [styled.yellow(`${account}: ${text}`)];
  });
  return [
    [moduleLine(module, library, accounts), ...notes].join('\n'),
    ...slots.map((slot) => slotText(slot, now)),
    ...(tokens.length === 0 && slots.length === 0 ? ['No slots: no reader is connected.'] : []),
  ].join('\n\n');
}

function moduleLine(module: string, library: string | null, accounts: readonly string[]): string {
  const named = library === null ? '' : ` (${library})`;
  const users = accounts.length === 0 ? '' : `, of ${accounts.join(', ')}`;
  return `${styled.bold(visibleText(module))}${named}${users}`;
}

function slotText({ slot, description, token }: SlotReport, now: number): string {
  if (token === null || !token.isInitialized) {
    const what = token === null ? 'no token' : 'a token that isn’t initialized';
    return `slot ${slot}${description === '' ? '' : ` (${description})`}: ${what}`;
  }
  return [tokenLine(slot, token), ...keyLines(token, now)].join('\n');
}

function tokenLine(slot: number, token: TokenReport): string {
  const kind = [token.manufacturer, token.model].filter((text) => text !== '').join(' ');
  const named = `token ${styled.bold(token.label)}, serial ${token.serial}, slot ${slot}`;
  return `${named}${kind === '' ? '' : ` (${kind})`}: ${pinText(token)}`;
}

/** What it takes to use it. */
function pinText({ pin, tries }: TokenReport): string {
  const login = {
    none: 'needs no PIN',
    typed: 'needs its PIN',
    pad: 'needs its PIN, typed at its own pad',
  }[pin];
  switch (tries) {
    case 'locked':
      return styled.red('its PIN is locked');
    case 'final':
      return `${login}; ${styled.red('the next wrong one locks it')}`;
    case 'low':
      return `${login}; ${styled.yellow('a wrong one was given')}`;
    case null:
      return login;
  }
}

function keyLines({ keys, certificates, pin }: TokenReport, now: number): string[] {
  if (keys.length === 0) {
    const shown = pin === 'none' ? 'no keys' : 'no keys that it shows without a login';
    return [
      `  ${shown}${certificates.length === 0 ? '' : `; ${counted(certificates.length, 'certificate')}`}`,
    ];
  }
  const hasUser = keys.some(({ accounts }) => accounts.length > 0);
  const rows = keys.map((key) => [
    cell(key.label),
    cell(key.id),
    key.kind,
    certificateText(key),
    expiryText(key, now),
    useText(key),
    ...(hasUser ? [key.accounts.join(', ')] : []),
  ]);
  const columns = ['KEY', 'ID', 'KIND', 'CERTIFICATE', 'EXPIRES', 'USABLE', ...(hasUser ? ['ACCOUNT'] : [])];
  return table([heading(...columns), ...rows])
    .split('\n')
    .map((line) => `  ${line}`);
}

/** One line of a key that was chosen: `me (P-256), with the certificate of carol`. */
export function keyText(key: KeyReport): string {
  const name = key.label === '' ? `id ${key.id}` : key.label;
  const of = key.certificate === null ? '' : `, with the certificate of ${subjectText(key.certificate)}`;
  return `${name} (${key.kind})${of}: ${useText(key)}`;
}

function certificateText({ certificate, certificateFile }: KeyReport): string {
  if (certificateFile !== null) {
    return 'in a file';
  }
  return certificate === null ? '-' : subjectText(certificate);
}

function subjectText({ subject, label }: CertificateReport): string {
  return cell(subject || label || 'unknown');
}

function expiryText({ certificate, certificateFile }: KeyReport, now: number): string {
  const expiresAt = certificateFile === null ? (certificate?.expiresAt ?? null) : null;
  if (expiresAt === null) {
    return '-';
  }
  return expiresAt <= now ? styled.red('expired') : clockText(expiresAt, now);
}

function useText({ tls, problem }: KeyReport): string {
  return problem === null
    ? `TLS ${tls.join(' and ')}${tls.length === 1 ? ' only' : ''}`
    : styled.red(`no: ${problem}`);
}

function cell(text: string): string {
  return visibleText(text, cellCharacters);
}
