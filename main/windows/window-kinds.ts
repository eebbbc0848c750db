import type { CallInput } from '../contract/ui/calls/index.ts';
import { type ConfirmWindowDeps, confirmWindow } from './kinds/confirm.ts';
import { type QuestionWindowDeps, questionWindow } from './kinds/question.ts';
import { type SecretWindowDeps, secretWindow } from './kinds/secret.ts';
import { type UnlockWindowDeps, unlockWindow } from './kinds/unlock.ts';
import type { WindowKind } from './window-kind.ts';

export type WindowKindsDeps = Omit<ConfirmWindowDeps, 'config'> &
  SecretWindowDeps &
  UnlockWindowDeps &
  QuestionWindowDeps;

/** What is asked for, as a window, and the terminal's line for the same. Throws BrokerError where it makes no sense now. */
export async function windowFor(
  wanted: CallInput<'window.open'>,
  deps: WindowKindsDeps,
): Promise<{ kind: WindowKind; command: string }> {
  switch (wanted.what) {
    case 'confirm':
      return { kind: await confirmWindow(deps), command: 'lanyard confirm' };
    case 'unlock':
      return { kind: await unlockWindow(deps), command: 'lanyard unlock' };
    case 'secret': {
      const { account, secret } = wanted;
      const word = secret === '' ? account : `${account}/${secret}`;
      return { kind: secretWindow(deps, account, secret), command: `lanyard secret set ${word}` };
    }
    case 'question':
      return { kind: questionWindow(deps, wanted.id), command: 'lanyard cluster add' };
  }
}
