import { BrokerError, refusalError } from '../../contract/broker-error.ts';
import {
  type ConfirmDeps,
  takeWaiting,
  type Waiting,
  waitingTexts,
  whatWaits,
} from '../../operations/confirm.ts';
import type { Gate } from '../../ports/broker-core.ts';
import type { WindowKind } from '../window-kind.ts';

export interface ConfirmWindowDeps extends ConfirmDeps {
  gate: Gate;
}

/** The same that `lanyard confirm` shows and takes. Throws BrokerError where nothing waits. */
export async function confirmWindow(deps: ConfirmWindowDeps): Promise<WindowKind> {
  const locked = deps.gate();
  if (locked) {
    throw refusalError(locked);
  }
  const waiting = await whatWaits(deps, null);
  const changes = waitingTexts(waiting);
  if (changes.length === 0) {
    throw new BrokerError('confirm.none', 'nothing waits to be confirmed', { reason: 'notFound' });
  }
  const count = changes.length === 1 ? 'One change waits' : `${changes.length} changes wait`;
  return {
    title: 'Take changes into force',
    content: {
      heading: changes.length === 1 ? 'Take this change into force?' : 'Take these changes into force?',
      text: [
        `${count} for your word. Until then Lanyard works as if ${changes.length === 1 ? 'it' : 'they'} had not been made.`,
      ],
      changes,
      yes: 'Take into force',
    },
    person: { for: 'answer', reason: 'take changes of its configuration into force' },
    over: () => overText(deps, waiting, changes),
    async submit() {
      await takeWaiting(deps, waiting);
      const text =
        changes.length === 1 ? 'One change is in force now.' : `${changes.length} changes are in force now.`;
      return { kind: 'done', good: true, heading: 'Taken into force', text: [text] };
    },
    refuse: async () => ({
      kind: 'done',
      good: false,
      heading: 'Nothing was taken',
      text: ['What waited still waits.'],
    }),
  };
}

async function overText(
  deps: ConfirmWindowDeps,
  { seen }: Waiting,
  shown: ReturnType<typeof waitingTexts>,
): Promise<string | null> {
  if (deps.gate()) {
    return 'Lanyard was locked meanwhile.';
  }
  const isSame =
    deps.config.current() === seen &&
    JSON.stringify(waitingTexts(await whatWaits(deps, null))) === JSON.stringify(shown);
  return isSame
    ? null
    : 'What waits has changed meanwhile: ask for this window again to see it as it is now.';
}
