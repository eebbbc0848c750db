import type { BrokerDeps } from './broker-deps.ts';
import { BrokerError } from './contract/broker-error.ts';
import { type AccountsCallsDeps, createAccountsCalls } from './doors/ui/calls/accounts-calls.ts';
import { type ApprovalCallsDeps, createApprovalCalls } from './doors/ui/calls/approval-calls.ts';
import { type ClustersCallsDeps, createClustersCalls } from './doors/ui/calls/clusters-calls.ts';
import { createHistoryCalls, type HistoryCallsDeps } from './doors/ui/calls/history-calls.ts';
import { createImportCalls, type ImportCallsDeps } from './doors/ui/calls/import-calls.ts';
import { createLockCalls, type LockCallsDeps } from './doors/ui/calls/lock-calls.ts';
import { createLoginCalls, type LoginCallsDeps } from './doors/ui/calls/login-calls.ts';
import { createUndoCalls, type UndoCallsDeps } from './doors/ui/calls/undo-calls.ts';
import type { UiHandlers } from './doors/ui/handlers.ts';

/** What the UI's calls stand on. */
export interface UiCallParts
  extends Pick<BrokerDeps, 'browser' | 'vault' | 'config'>,
    Omit<HistoryCallsDeps, 'config'>,
    ApprovalCallsDeps,
    Omit<LoginCallsDeps, 'browser' | 'directory' | 'grants'>,
    Omit<ClustersCallsDeps, 'grants'>,
    Omit<AccountsCallsDeps, 'vault' | 'config' | 'directory'>,
    Pick<LockCallsDeps, 'lock' | 'onOpened'> {
  directory: LoginCallsDeps['directory'] & ClustersCallsDeps['directory'];
  grants: LoginCallsDeps['grants'] & ClustersCallsDeps['grants'];
  importing: ImportCallsDeps & UndoCallsDeps;
}

/** An answer to each of the UI's calls: one file for each area. */
export function createUiCalls(parts: UiCallParts): UiHandlers {
  return {
    ...createLockCalls(parts),
    ...createLoginCalls(parts),
    ...createApprovalCalls(parts),
    ...createHistoryCalls(parts),
    ...createClustersCalls(parts),
    ...createAccountsCalls(parts),
    ...createImportCalls(parts.importing),
    ...createUndoCalls(parts.importing),
    'confirm.list': notYet,
    'window.open': notYet,
  };
}

async function notYet(): Promise<never> {
  throw new BrokerError('ui.notYet', 'this is not there yet', { reason: 'notFound' });
}
