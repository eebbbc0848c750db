import type { CallInput } from '../../contract/ui/calls/index.ts';
import { adviceText, secretAdvice } from '../../domain/text/advice.ts';
import { contextsCommand } from '../../operations/cluster-context.ts';
import { type ApprovalWindowDeps, approvalWindow, questionInWindow } from './kinds/approval.ts';
import { type ConfirmWindowDeps, confirmWindow } from './kinds/confirm.ts';
import { type KubectlContextsWindowDeps, kubectlContextsWindow } from './kinds/kubectl-contexts.ts';
import { type SecretWindowDeps, secretWindow } from './kinds/secret.ts';
import { type UnknownServerWindowDeps, unknownServerWindow } from './kinds/unknown-server.ts';
import { type UnlockWindowDeps, unlockWindow } from './kinds/unlock.ts';
import type { WindowKind } from './window-kind.ts';

export type WindowKindsDeps = Omit<ConfirmWindowDeps, 'config'> &
  Omit<SecretWindowDeps, 'config'> &
  UnlockWindowDeps &
  KubectlContextsWindowDeps &
  ApprovalWindowDeps &
  UnknownServerWindowDeps & { serving: SecretWindowDeps['config'] };

/** A window, and the terminal's line for the same; null: the terminal where it was asked for is the place. */
export interface WantedWindow {
  kind: WindowKind;
  command: string | null;
}

/** The window for what was asked. Throws BrokerError where it makes no sense now. */
export async function windowFor(
  wanted: CallInput<'window.open'>,
  deps: WindowKindsDeps,
): Promise<WantedWindow> {
  switch (wanted.what) {
    case 'confirm':
      return { kind: await confirmWindow(deps), command: 'lanyard confirm' };
    case 'unlock':
      return { kind: await unlockWindow(deps), command: 'lanyard unlock' };
    case 'contexts':
      return { kind: await kubectlContextsWindow(deps), command: contextsCommand };
    case 'secret': {
      const { account, secret } = wanted;
      const kind = secretWindow({ ...deps, config: deps.serving }, account, secret);
      const config = deps.serving.current().accounts.get(account)?.config;
      const part = secret === '' ? undefined : secret;
      return { kind, command: config ? adviceText(secretAdvice(account, config, part)) : null };
    }
    case 'question': {
      const question = questionInWindow(deps.board, wanted.id);
      return question.kind === 'approval'
        ? { kind: await approvalWindow(deps, question), command: null }
        : { kind: unknownServerWindow(deps, question), command: 'lanyard help cluster add' };
    }
  }
}
