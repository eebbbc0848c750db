import { kindNames } from '../contract/config/config.ts';
import { counted } from '../contract/ui/count-text.ts';
import type { PendingChange } from '../domain/approval/binding.ts';
import { isUnexpectedServer } from '../domain/inventory/expected-server.ts';
import { isTrustedChange } from '../domain/inventory/trusted-change.ts';
import { programLines, programWords } from '../domain/program/program.ts';
import { changedProgramLines } from '../domain/program/program-check.ts';
import { programOf } from '../domain/program/program-of.ts';
import { visibleText } from '../domain/text/visible-text.ts';
import type { Waiting } from './confirm.ts';
import { groupProfiles } from './group-profiles.ts';
import { movesCluster, risksOf } from './rules/pending-risk.ts';
import type { WaitingItem, WaitingText } from './waiting-item.ts';

/** What deserves a second look comes first, each by itself; the rest in the order of config.yaml. */
export function waitingItems(waiting: Shown): WaitingItem[] {
  const items = [
    ...waiting.held.map((each): WaitingItem => {
      const [title = '', ...lines] = changedProgramLines(each);
      const text = {
        title,
        risks: [each.now.isLibrary ? 'Loads a library that changed' : 'Runs a program that changed'],
        lines: lines.map((line) => line.slice(2)),
      };
      return { text, part: { changes: [], held: [each] }, origin: null };
    }),
    ...waiting.changes.map((change) => itemOf(change, waiting)),
  ];
  return [...items.filter(needsLook), ...groupProfiles(items.filter((item) => !needsLook(item)))];
}

export function waitingTexts(waiting: Shown): WaitingText[] {
  return waitingItems(waiting).map(({ text }) => text);
}

/** Whether it deserves a second look. */
export function needsLook({ text }: WaitingItem): boolean {
  return text.risks.length > 0;
}

/**
 * Whether an approval of all takes it without a word: not what a hub says, where that deserves a second look. It is
 * approved by name, or separately (rule: confirmed-binding).
 */
export function isTakenWithAll(item: WaitingItem): boolean {
  return item.origin === null || !needsLook(item);
}

/** The part of what is pending that is in these. */
export function partOf(waiting: Waiting, items: readonly WaitingItem[]): Waiting {
  const changes = items.flatMap(({ part }) => part.changes);
  const held = items.flatMap(({ part }) => part.held);
  const accounts = new Set(changes.flatMap(({ what, name }) => (what === 'account' ? [name] : [])));
  return {
    ...waiting,
    isAll: waiting.isAll && changes.length === waiting.changes.length && held.length === waiting.held.length,
    ...{ changes, held },
    found: new Map([...waiting.found].filter(([account]) => accounts.has(account))),
  };
}

/** How much there is, of which sort, in one sentence. */
export function summaryOf(waiting: Shown): string {
  const { changes, held } = waiting;
  const count = (number: number, one: string) => (number === 0 ? [] : [counted(number, one)]);
  const of = (what: PendingChange['what'], change: PendingChange['change']) =>
    changes.filter((each) => each.what === what && each.change === change).length;
  const parts = [
    ...kindNames().flatMap((kind) => count(of(kind, 'new'), `new ${kind}`)),
    ...kindNames().flatMap((kind) => count(of(kind, 'changed'), `changed ${kind}`)),
    ...count(of('setting', 'changed'), 'changed setting'),
    ...(['program', 'module'] as const).flatMap((noun) =>
      count(held.filter(({ now }) => programWords(now).noun === noun).length, `changed ${noun}`),
    ),
  ];
  const risky = waitingItems(waiting).filter(needsLook).length;
  const total = changes.length + held.length;
  const first = `${counted(total, 'change')}: ${parts.join(', ')}.`;
  return risky === 0 || total === 1
    ? first
    : `${first} ${risky} ${risky === 1 ? 'needs' : 'need'} a closer look, shown first.`;
}

type Shown = Pick<Waiting, 'changes' | 'held' | 'found' | 'left' | 'seen'>;

function itemOf(change: PendingChange, { found, left, seen }: Shown): WaitingItem {
  const cluster = change.what === 'cluster' ? seen.clusters.get(change.name) : undefined;
  const { login = false, secrets = [] } = (change.what === 'account' && left.get(change.name)) || {};
  const facts = change.what === 'account' ? found.get(change.name) : undefined;
  const account = change.what === 'account' ? seen.accounts.get(change.name) : undefined;
  const { noun } = programWords((account && programOf(account.config)) ?? {});
  const [first, ...more] = facts ? programLines(facts) : [];
  const isUnexpected = cluster !== undefined && isUnexpectedServer(cluster, seen);
  // A platform team moves its clusters and renews their CAs: it is what its servers are stated for.
  const isUsual = cluster?.origin && !isUnexpected && isTrustedChange(change.before, change.after);
  const text: WaitingText = {
    title: `${change.what} ${change.name} (${change.change})`,
    risks: [
      ...(login ? ['Uses a login that the vault has under its name already'] : []),
      ...(isUnexpected ? ['Its server is not among those of its inventory'] : []),
      ...risksOf(change).filter((risk) => !isUsual || risk !== movesCluster),
    ],
    lines: [
      ...change.lines,
      ...(first === undefined ? [] : [`${noun}: ${first}`, ...more.map((line) => `  ${line}`)]),
      // No risk in itself: an import stores the secrets of an account before that is approved.
      ...(secrets.length === 0
        ? []
        : [
            `uses what the vault has under its name already: ${secrets.map((part) => visibleText(part)).join(', ')}`,
          ]),
    ],
  };
  return { text, part: { changes: [change], held: [] }, origin: cluster?.origin ?? null };
}
