import type { MessageBoxOptions } from 'electron';
import { BrokerError } from '../../main/contract/broker-error.ts';
import { visibleText } from '../../main/domain/text/visible-text.ts';
import type { ElectronModule } from '../electron.ts';
import type { OtherBroker } from './other-broker.ts';

export interface TakeOverDeps<Running> {
  dialog: ElectronModule['dialog'];
  start(): Promise<Running>;
  /** Null: the other broker can't be identified, or can't be asked to end on this system. */
  findOther(): Promise<OtherBroker | null>;
  /** The system or a helper started the app, so the user isn't asked. */
  hidden: boolean;
}

/**
 * Starts the broker. If another one runs for this home, asks the user whether to end it. Null: the other one keeps
 * running. Throws what `start` throws.
 */
export async function startOrTakeOver<Running>(deps: TakeOverDeps<Running>): Promise<Running | null> {
  try {
    return await deps.start();
  } catch (error) {
    if (!(error instanceof BrokerError) || error.code !== 'agent.running') {
      throw error;
    }
    if (deps.hidden) {
      return null;
    }
    const other = await deps.findOther();
    if (!other) {
      throw error;
    }
    const { response } = await deps.dialog.showMessageBox(takeOverQuestion(other));
    if (response !== takesOver) {
      return null;
    }
    if (!(await other.stop())) {
      throw new BrokerError('agent.running', `the other Lanyard process (${other.pid}) didn’t end`, {
        reason: 'usage',
        hint: `end it yourself: kill ${other.pid}`,
      });
    }
    return deps.start();
  }
}

const takesOver = 1;

export function takeOverQuestion({ pid, program }: Pick<OtherBroker, 'pid' | 'program'>): MessageBoxOptions {
  return {
    type: 'question',
    message: 'Lanyard is already running in the background',
    detail: [
      `Another Lanyard process of your account is running: ${program === null ? 'a program' : `“${visibleText(program, 64)}”`}, process ${pid}. It may be the background service, or “lanyard agent” in a terminal.`,
      'The app can stop it and take its place. Programs that wait for a credential ask again. A login in progress is interrupted.',
      'The background service will start again at next login. To remove it: lanyard agent --uninstall',
    ].join('\n\n'),
    buttons: ['Cancel', 'Take over'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
}
