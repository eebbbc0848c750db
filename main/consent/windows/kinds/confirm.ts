import { BrokerError, refusalError } from '../../../contract/broker-error.ts';
import { pendingText } from '../../../contract/pending-words.ts';
import type { ClusterMark } from '../../../domain/naming/cluster-mark.ts';
import {
  type ConfirmDeps,
  countOf,
  isStillSeen,
  ownChanges,
  pendingOf,
  takeWaiting,
  type Waiting,
  whatWaits,
} from '../../../operations/confirm.ts';
import { leftInVaultText } from '../../../operations/left-in-vault.ts';
import type { WaitingItem } from '../../../operations/waiting-item.ts';
import {
  isTakenWithAll,
  partOf,
  summaryOf,
  waitingItems,
  waitingTexts,
} from '../../../operations/waiting-items.ts';
import type { Gate } from '../../../ports/broker-core.ts';
import type { Fields, WindowChange, WindowContent, WindowKind } from '../window-kind.ts';

export interface ConfirmWindowDeps extends ConfirmDeps {
  gate: Gate;
  /** By its name alone, as in a question: all else that it is called needs no approval. */
  markOf(cluster: string): ClusterMark | null;
}

/** The same that `lanyard confirm` shows and takes. Throws BrokerError where nothing is pending. */
export async function confirmWindow(deps: ConfirmWindowDeps): Promise<WindowKind> {
  const locked = deps.gate();
  if (locked) {
    throw refusalError(locked);
  }
  const waiting = await whatWaits(deps, null);
  const items = waitingItems(waiting);
  if (items.length === 0) {
    throw new BrokerError('confirm.none', 'nothing is pending approval', { reason: 'notFound' });
  }
  const many = countOf(waiting) > 1;
  const choice = choiceOf(items, deps.markOf);
  return {
    title: 'Approve changes',
    content: {
      heading: many ? 'Approve these changes?' : 'Approve this change?',
      text: [`${summaryOf(waiting)} ${pendingText(pendingOf(waiting))}`],
      ...choice.content,
      no: 'Not now',
    },
    person: { for: 'answer', reason: 'approve changes of its configuration' },
    over: () => overText(deps, waiting),
    async submit(fields, answer) {
      const chosen = choice.chosen(fields, answer);
      if (chosen.length === 0) {
        return { kind: 'again', fault: 'Nothing is selected.' };
      }
      const taken = await takeWaiting(deps, partOf(waiting, chosen));
      const heading = many ? 'Changes approved' : 'Change approved';
      const left = leftInVaultText(deps);
      const text = [
        summaryOf(taken),
        ...(countOf(taken) < countOf(waiting) ? ['The others are still pending.'] : []),
        ...(left === null ? [] : [left]),
      ];
      return { kind: 'done', good: true, heading, text };
    },
    refuse: async () => ({
      kind: 'done',
      good: false,
      heading: 'Not approved',
      text: [many ? 'The changes are still pending.' : 'The change is still pending.'],
    }),
  };
}

/** More boxes than this would be more than a form may send. The rest is approved with all, or in a terminal. */
const mostBoxes = 4_000;

interface Choice {
  content: Pick<WindowContent, 'changes' | 'yes' | 'more'>;
  chosen(fields: Fields, answer: string): WaitingItem[];
}

/** What a hub says is chosen one by one, once there is more than one item. */
function choiceOf(items: readonly WaitingItem[], markOf: ConfirmWindowDeps['markOf']): Choice {
  const shownOf = (item: WaitingItem): WindowChange => {
    const marks = marksOf(clustersOf(item).map(markOf));
    return { ...item.text, ...(marks.length > 0 && { marks }) };
  };
  if (items.length === 1 || items.every(({ origin }) => origin === null)) {
    return {
      content: { changes: items.map(shownOf), yes: 'Approve' },
      chosen: () => [...items],
    };
  }
  const boxed = items.map((item, index) => ({ item, box: index < mostBoxes ? `item-${index}` : null }));
  const others = items.filter((item) => !isTakenWithAll(item)).length;
  return {
    content: {
      changes: boxed.map(({ item, box }) => ({
        ...shownOf(item),
        ...(box !== null && { box: { name: box, isChecked: isTakenWithAll(item) } }),
      })),
      yes: 'Approve selected',
      ...(others > 0 && {
        more: {
          label: `Or also ${others === 1 ? 'the one that needs' : `the ${others} that need`} a closer look`,
          answers: [{ answer: 'all', label: 'Approve all' }],
        },
      }),
    },
    chosen: (fields, answer) =>
      boxed
        .filter(({ box }) => answer === 'all' || (box !== null && fields[box] !== undefined))
        .map(({ item }) => item),
  };
}

/** The clusters that it is about. */
function clustersOf({ part }: WaitingItem): string[] {
  return part.changes.flatMap(({ what, name }) => (what === 'cluster' ? [name] : []));
}

/** More would hide what is asked. */
const mostMarks = 4;

/** The mark that all of them have. Else each, once, as that of some: no mark may speak for clusters without it. */
function marksOf(marks: readonly (ClusterMark | null)[]): ClusterMark[] {
  const counts = Map.groupBy(marks, (mark) => JSON.stringify(mark && [mark.color, mark.text]));
  const distinct = [...counts.values()].flatMap(([mark]) => mark ?? []);
  if (counts.size <= 1) {
    return distinct;
  }
  const last = distinct.length - mostMarks;
  return distinct.slice(0, mostMarks).map(({ color, text }, index) => ({
    color,
    text: `some: ${text}${index === mostMarks - 1 && last > 0 ? `, and ${last} more` : ''}`,
  }));
}

async function overText(deps: ConfirmWindowDeps, waiting: Waiting): Promise<string | null> {
  if (deps.gate()) {
    return 'Lanyard was locked meanwhile.';
  }
  const isSame =
    isStillSeen(waiting.seen, deps.config.current()) &&
    textOf(await whatWaits(deps, null)) === textOf(waiting);
  return isSame ? null : 'The pending changes have changed meanwhile. Open this window again to review them.';
}

function textOf(waiting: Waiting): string {
  return JSON.stringify(waitingTexts(ownChanges(waiting)));
}
