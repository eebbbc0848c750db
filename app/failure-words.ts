import { sentence } from '../main/contract/ui/sentence.ts';
import { visibleLine, visibleText } from '../main/domain/text/visible-text.ts';
import { CallRefused } from '../main/doors/ui/local-page.ts';
import type { Action } from './actions.ts';

/** The text for the user about an action that failed. Null if the user ended it, and so knows. */
export function failureWords(action: Action, error: unknown): { message: string; detail: string } | null {
  const message = whatFailed(action);
  if (!(error instanceof CallRefused)) {
    return { message, detail: 'Lanyard has a problem. See the log.' };
  }
  const { reason, message: why, hint } = error.failure;
  if (ownDoing.get(action.kind)?.includes(reason)) {
    return null;
  }
  const detail = [why, ...(hint === undefined ? [] : [hint])].map((words) => sentence(visibleLine(words)));
  return { message, detail: detail.join('\n') };
}

/** Failures that the user caused, by closing the provider's page or cancelling the system's user check. */
const ownDoing: ReadonlyMap<Action['kind'], readonly string[]> = new Map([
  ['login', ['denied', 'timedOut']],
  ['unlock', ['denied']],
]);

function whatFailed(action: Action): string {
  switch (action.kind) {
    case 'login':
      return `Login to ${visibleText(action.account, 100)} failed`;
    case 'renew':
      return `${visibleText(action.cluster, 100)} could not be renewed`;
    case 'useContext':
      return `Couldn’t switch to the context ${visibleText(action.context, 100)}`;
    case 'lock':
      return 'Lanyard could not be locked';
    case 'unlock':
      return 'Lanyard stays locked';
    case 'confirm':
    case 'question':
      return 'The window could not be opened';
    case 'show':
    case 'pauseNotifications':
    case 'quit':
      return 'That didn’t work';
  }
}
