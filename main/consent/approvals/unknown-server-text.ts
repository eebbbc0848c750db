import { configName } from '../../contract/config/names.ts';
import { parseUrl } from '../../contract/parse-url.ts';
import type { AuthorityCertificate } from '../../domain/server/authority-text.ts';
import type { ExecCluster } from '../../domain/server/exec-cluster.ts';
import { lookalikeNote } from '../../domain/server/new-cluster.ts';
import { plainAddress } from '../../domain/text/plain-address.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import type { QuestionAbout } from './question-board.ts';
import {
  callerView,
  inCell,
  labelled,
  originRows,
  quoted,
  type RequestOrigin,
  type Row,
  type ShowValue,
} from './question-text.ts';

export interface UnknownServerShown extends RequestOrigin {
  server: ExecCluster;
  account: string;
  /** The identity of the account's credential; null: unknown. */
  subject: string | null;
  authority: readonly AuthorityCertificate[];
}

/** Nothing verifies the server: whoever listens at that address, or is on the way, takes the credential. */
export function isUnchecked({ server, insecureSkipTlsVerify }: ExecCluster): boolean {
  return insecureSkipTlsVerify || parseUrl(server)?.protocol !== 'https:';
}

/** The question as the terminal shows it. */
export function unknownServerText(shown: UnknownServerShown): string {
  const rows = labelled(unknownServerRows(shown, quoted));
  const end = isUnchecked(shown.server)
    ? 'Add it anyway, and send it the credential? Type yes in full, or anything else for no: '
    : 'Add it to config.yaml, and send it the credential? [y/N] ';
  return `\nlanyard: a program wants a credential for a server that lanyard doesn’t know\n${rows}${end}`;
}

/** The same for pages: they can only say No, as a Yes writes config.yaml (rule: approval-outside-page). */
export function unknownServerAbout(shown: UnknownServerShown): QuestionAbout {
  const { server, account } = shown;
  return {
    kind: 'unknownServer',
    target: null,
    account,
    server: visibleText(plainAddress(server.server), 2048),
    caller: callerView(shown),
    printed: false,
    unchecked: isUnchecked(server),
    rows: unknownServerRows(shown, inCell).map(([label, value]) => [label, value]),
    policy: null,
    answers: [],
    inWindow: true,
  };
}

function unknownServerRows(shown: UnknownServerShown, show: ShowValue): Row[] {
  const { server, account, subject } = shown;
  const unchecked = isUnchecked(server);
  const note = lookalikeNote(server.server);
  return [
    ['server', show(plainAddress(server.server), 2048)],
    ...(note === null ? [] : [['note', note] as const]),
    ...authorityRows(shown),
    ...(server.tlsServerName === null
      ? []
      : [['TLS name', `${quoted(server.tlsServerName)}, checked in place of the host`] as const]),
    ...(server.proxyUrl === null ? [] : [['proxy', show(plainAddress(server.proxyUrl), 2048)] as const]),
    ...(unchecked
      ? [['DANGER', 'TLS verification is off: the credential could be intercepted'] as const]
      : []),
    ['credential', `of ${quoted(account)}${subject === null ? '' : `, as ${quoted(subject)}`}`],
    ...originRows(shown, show),
  ];
}

function authorityRows({ server, authority }: UnknownServerShown): Row[] {
  if (isUnchecked(server)) {
    return [];
  }
  return authority.length === 0
    ? [['CA', 'the system’s own']]
    : authority.flatMap(({ fingerprint, subject, expires }, index) => [
        [index === 0 ? 'CA' : '', `SHA-256 ${fingerprint}`] as const,
        ['', `${quoted(subject)}, expires ${expires}`] as const,
      ]);
}

/** Asks for the cluster's name. */
export function nameText(suggested: string, trouble: string | null): string {
  return `${trouble === null ? '' : `lanyard: ${trouble}\n`}Name for the cluster [${suggested}]: `;
}

export function isName(text: string): boolean {
  return configName.safeParse(text).success;
}
