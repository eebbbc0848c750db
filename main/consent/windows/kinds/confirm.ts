import { BrokerError, refusalError } from '../../../contract/broker-error.ts';
import { pendingText } from '../../../contract/pending-words.ts';
import {
  type ConfirmDeps,
  isStillSeen,
  ownChanges,
  pendingOf,
  summaryOf,
  takeWaiting,
  type Waiting,
  waitingTexts,
  whatWaits,
} from '../../../operations/confirm.ts';
import { leftInVaultText } from '../../../operations/left-in-vault.ts';
import type { Gate } from '../../../ports/broker-core.ts';
import type { WindowKind } from '../window-kind.ts';

export interface ConfirmWindowDeps extends ConfirmDeps {
  gate: Gate;
}

/** The same that `lanyard confirm` shows and takes. Throws BrokerError where nothing is pending. */
export async function confirmWindow(deps: ConfirmWindowDeps): Promise<WindowKind> {
  const locked = deps.gate();
  if (locked) {
    throw refusalError(locked);
  }
  const waiting = await whatWaits(deps, null);
  const changes = waitingTexts(waiting);
  if (changes.length === 0) {
    throw new BrokerError('confirm.none', 'nothing is pending approval', { reason: 'notFound' });
  }
  const many = changes.length > 1;
  return {
    title: 'Approve changes',
    content: {
      heading: many ? 'Approve these changes?' : 'Approve this change?',
      text: [`${summaryOf(waiting)} ${pendingText(pendingOf(waiting))}`],
      changes,
      yes: 'Approve',
    },
    person: { for: 'answer', reason: 'approve changes of its configuration' },
    over: () => overText(deps, waiting),
    async submit() {
      await takeWaiting(deps, waiting);
      const heading = many ? 'Changes approved' : 'Change approved';
      const left = leftInVaultText(deps);
      const text = [summaryOf(waiting), ...(left === null ? [] : [left])];
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

async function overText(deps: ConfirmWindowDeps, waiting: Waiting): Promise<string | null> {
  if (deps.gate()) {
    return 'Lanyard was locked meanwhile.';
  }
  const isSame =
    isStillSeen(waiting.seen, deps.config.current()) &&
    textOf(await whatWaits(deps, null)) === textOf(waiting);
  return isSame
    ? null
    : 'What is pending has changed meanwhile: open this window again to see it as it is now.';
}

function textOf(waiting: Waiting): string {
  return JSON.stringify(waitingTexts(ownChanges(waiting)));
}
