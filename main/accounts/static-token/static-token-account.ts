import type { Secret } from '../../base/secret.ts';
import { BrokerError, toRefusal } from '../../contract/broker-error.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { clockText } from '../../contract/ui/time-texts.ts';
import { jwtLife } from '../../domain/credential/jwt-life.ts';
import { parseToken } from '../../domain/credential/parse-token.ts';
import { adviceText, secretAdvice } from '../../domain/text/advice.ts';
import { closeCommand } from '../../domain/text/close-command.ts';
import type { Account, AccountState, Obtained } from '../../ports/account.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LoadedAccount } from '../../ports/config-store.ts';
import type { Vault } from '../../ports/vault.ts';
import { observeLife, observeRefusal, observeWarning } from '../observe.ts';
import type { SecretFileReader } from '../secret-file.ts';

export interface StaticTokenDeps {
  account: LoadedAccount;
  vault: Pick<Vault, 'state' | 'read'>;
  files: SecretFileReader;
  clock: Pick<Clock, 'now'>;
}

/** A token that the user set: in the vault (`lanyard secret set NAME/token`), or in a file that others renew. */
export function createStaticTokenAccount(deps: StaticTokenDeps): Account {
  const { account, vault, files, clock } = deps;
  const { name } = account;
  if (!('staticToken' in account.config)) {
    throw new BrokerError('account.kind', `account ${name} is no static token`);
  }
  const { file } = account.config.staticToken;
  const advice = secretAdvice(name, account.config);

  const readToken = createTokenReader();
  const refuseToken = (code: string, message: string): Refusal =>
    refuse('loginNeeded', `staticToken.${code}`, message, adviceText(advice));

  async function read(): Promise<{ found: Obtained; warning: string | null }> {
    const where = file ?? `the token of ${name}`;
    let text = vaultText();
    let warning: string | null = null;
    if (file !== undefined) {
      const content = await files.read(file);
      if (!content.ok) {
        const code = content.problem === 'missing' ? 'missing' : 'unreadable';
        return { found: refuseToken(code, `${file} ${content.message}`), warning };
      }
      text = content.text;
      warning = content.readByOthers
        ? `${file} may be read by other users: ${closeCommand(file, 'file')}`
        : null;
    }
    if (!text) {
      return { found: refuseToken('missing', `${name} has no token yet`), warning };
    }
    const parsed = readToken(text);
    if (!parsed.ok) {
      return { found: refuseToken(parsed.code, `${where} ${parsed.message}`), warning };
    }
    const { life } = parsed;
    const expiresAt = life?.expiresAt ?? null;
    if (expiresAt !== null && expiresAt <= clock.now()) {
      const since = clockText(expiresAt, clock.now());
      return { found: refuseToken('expired', `the token of ${name} expired at ${since}`), warning };
    }
    const issuedAt = life?.issuedAt ?? null;
    return {
      found: { ok: true, credential: { token: parsed.token, certificate: null, issuedAt, expiresAt } },
      warning,
    };
  }

  function vaultText() {
    return file === undefined ? (vault.read().secrets[name]?.['token'] ?? null) : null;
  }

  async function obtain(): Promise<{ found: Obtained; warning: string | null }> {
    try {
      return await read();
    } catch (error) {
      return { found: toRefusal(error), warning: null };
    }
  }

  return {
    name,
    kind: 'staticToken',
    replacedBy: advice,
    async current() {
      const { found } = await obtain();
      return found.ok || found.reason === 'locked' ? found : null;
    },
    async renew() {
      return (await obtain()).found;
    },
    async examine() {
      const { found, warning } = await obtain();
      if (!found.ok) {
        return [observeRefusal('account.token', found)];
      }
      const what = `the token of ${name}`;
      const life = observeLife('account.token', what, found.credential, clock.now(), adviceText(advice));
      return [life, ...(warning === null ? [] : [observeWarning('account.file', warning)])];
    },
    async state(): Promise<AccountState> {
      const { found, warning } = await obtain();
      const common = { kind: 'staticToken', subject: null, issuer: null } as const;
      if (found.ok) {
        const { issuedAt, expiresAt } = found.credential;
        return { ...common, state: 'ready', issuedAt, expiresAt, problem: warning };
      }
      return { ...common, state: stateOf(found), expiresAt: null, problem: found.message };
    },
  };
}

/** Reads a token, and its life where it tells that; the one read last is known: it is asked for with each call. */
function createTokenReader() {
  const read = (text: Secret) => {
    const parsed = parseToken(text);
    return parsed.ok ? { ...parsed, life: jwtLife(parsed.token.reveal()) } : parsed;
  };
  let last: { text: Secret; read: ReturnType<typeof read> } | null = null;
  return (text: Secret) => {
    if (last?.text.reveal() !== text.reveal()) {
      last = { text, read: read(text) };
    }
    return last.read;
  };
}

function stateOf(refusal: Refusal): AccountState['state'] {
  switch (refusal.code) {
    case 'staticToken.missing':
      return 'secretMissing';
    case 'staticToken.expired':
      return 'expired';
    default:
      return refusal.reason === 'locked' ? 'locked' : 'invalid';
  }
}
