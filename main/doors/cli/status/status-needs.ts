import type { AccountStatus, Status } from '../../../access/status.ts';
import { pendingItems, pendingName, pendingText } from '../../../contract/pending-words.ts';
import { counted } from '../../../contract/ui/count-text.ts';
import { expiresSoon } from '../../../contract/ui/health.ts';
import { waitsAtTokenText } from '../../../contract/ui/token-words.ts';
import { listed } from '../../../doctor/check.ts';
import type { ImportOffer } from '../../../domain/import/import-offer.ts';
import { calledText } from '../../../domain/naming/called-text.ts';
import { shellWord } from '../../../domain/text/shell-line.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import { faultLines } from '../proxy/fault-lines.ts';
import { stateWord } from './state-text.ts';

/** Something for the user to do. */
export interface Need {
  text: string;
  /** What applies until then. */
  note?: string;
  /** The command that does it; null: none does. */
  command: string | null;
}

/** What needs the user: what concerns all, then each account once, then clusters by themselves. */
export function statusNeeds(status: Status): Need[] {
  return [...commonNeeds(status), ...ownNeeds(status)];
}

function commonNeeds(status: Status): Need[] {
  return [
    ...status.config.problems.map(
      (problem) =>
        `${problem.file}:${problem.line ?? 1}:${problem.column ?? 1}: ${problem.severity}: ${problem.message}`,
    ),
    ...(status.metrics.problem === null ? [] : [status.metrics.problem]),
    ...faultLines(status.requestProxy.faults),
    ...status.history.problems.map((problem) => `history: ${problem}`),
  ]
    .map((text): Need => ({ text, command: null }))
    .concat(
      status.undone.map(({ file, text, command }) => ({ text: `${visibleText(file)}: ${text}`, command })),
      status.imports.map(offerNeed),
    );
}

/** Of accounts, clusters and registries alone. */
export function ownNeeds(status: Status): Need[] {
  const { vault, held, accounts, clusters } = status;
  // One command opens the vault, and another approves all changes.
  const others = accounts.filter(({ state }) => state !== 'locked' && state !== 'held');
  return [
    ...vaultNeed(vault),
    ...(held.length === 0
      ? []
      : [
          {
            text: `pending approval: ${listed(pendingItems(held).map(pendingName))}`,
            note: pendingText(held),
            command: 'lanyard confirm',
          },
        ]),
    ...(vault.kind === 'none' ? [] : others.flatMap((each) => accountNeed(each, status))),
    ...clusters.flatMap(({ name, displayName, problem }) =>
      problem === null
        ? []
        : [{ text: `${calledText(name, displayName)}: ${problem}`, command: 'lanyard doctor' }],
    ),
  ];
}

function vaultNeed(vault: Status['vault']): Need[] {
  switch (vault.kind) {
    case 'open':
      return [];
    case 'broken':
      return [{ text: `the vault can’t be opened: ${vault.reason}`, command: vault.hint }];
    case 'none':
      return [{ text: 'there is no vault yet', command: 'lanyard unlock' }];
    case 'locked':
      return [{ text: 'locked: nothing is issued', command: 'lanyard unlock' }];
  }
}

/** It works, and only the user can renew it: something to do once it expires soon, as in the window. */
export function isGoodForNow({
  kind,
  state,
  byHand,
  issuedAt = null,
  expiresAt,
  secondsLeft,
  clockOffSeconds,
}: AccountStatus): boolean {
  if (state !== 'ready' || !byHand || clockOffSeconds !== undefined) {
    return false;
  }
  return (
    expiresAt !== null &&
    secondsLeft !== null &&
    !expiresSoon(kind, { issuedAt, expiresAt }, expiresAt - secondsLeft * 1000)
  );
}

function accountNeed(account: AccountStatus, status: Status): Need[] {
  const { name, state, problem, advice, waitsAtToken } = account;
  if (isGoodForNow(account)) {
    return [];
  }
  if (waitsAtToken) {
    return [{ text: `${name}: ${waitsAtTokenText}`, command: null }];
  }
  if (problem === null && (advice === null || state === 'ready')) {
    return advice === null ? [] : [{ text: `${name}${usersText(name, status)}`, command: advice }];
  }
  const what = state === 'ready' ? [] : [stateWord(state)];
  const [first, ...more] = [...what, ...(problem === null ? [] : [problem])];
  return [{ text: [`${name}: ${first}${usersText(name, status)}`, ...more].join(': '), command: advice }];
}

/** ` (3 clusters)`: what waits for an account. */
function usersText(account: string, { clusters, registries }: Status): string {
  const counts = (
    [
      [clusters.filter((each) => each.account === account).length, 'cluster'],
      [registries.filter((each) => each.account === account).length, 'registry'],
    ] as const
  ).flatMap(([count, what]) => (count === 0 ? [] : [counted(count, what)]));
  return counts.length === 0 ? '' : ` (${counts.join(', ')})`;
}

/** One file's new users, which an import would take. */
function offerNeed({ file, importable }: ImportOffer): Need {
  const names =
    importable.length > 3 ? '' : ` (${importable.map((each) => visibleText(each, 60)).join(', ')})`;
  return {
    text: `${counted(importable.length, 'new user')}${names} with ${importable.length === 1 ? 'its' : 'their'} own credentials`,
    command: `lanyard kubeconfig import ${visibleText(shellWord(file))}`,
  };
}

/** Each need on a line, what to do below it; what is said once isn’t said again. */
export function needsText(needs: readonly Need[]): string {
  const lines = needs.map(({ text, note, command }) =>
    [`  ${text}`, ...[note, command].flatMap((each) => (each == null ? [] : [`    ${each}`]))].join('\n'),
  );
  return [...new Set(lines)].join('\n');
}
