import { hostname } from 'node:os';
import { createPluginReader } from '../accounts/plugins/report.ts';
import { windowFor } from '../consent/windows/window-kinds.ts';
import { createClusterEyes } from '../doctor/cluster-eyes.ts';
import type { LoadedConfig } from '../domain/config/loaded-config.ts';
import type { SeenPrograms } from '../domain/program/program-standing.ts';
import { createAccountsCalls } from '../doors/ui/calls/accounts-calls.ts';
import { createActivityCalls } from '../doors/ui/calls/activity-calls.ts';
import { createApprovalCalls } from '../doors/ui/calls/approval-calls.ts';
import { createClusterDetailCalls } from '../doors/ui/calls/cluster-detail-calls.ts';
import { createClusterEditingCalls } from '../doors/ui/calls/cluster-editing-calls.ts';
import { createClustersCalls } from '../doors/ui/calls/clusters-calls.ts';
import { createConfirmingCalls } from '../doors/ui/calls/confirming-calls.ts';
import { createContextCalls } from '../doors/ui/calls/context-calls.ts';
import { createDesktopCalls } from '../doors/ui/calls/desktop-calls.ts';
import { createHistoryCalls } from '../doors/ui/calls/history-calls.ts';
import { createImportCalls } from '../doors/ui/calls/import-calls.ts';
import { createLockCalls } from '../doors/ui/calls/lock-calls.ts';
import { createLoginCalls } from '../doors/ui/calls/login-calls.ts';
import { createMetricsCalls } from '../doors/ui/calls/metrics-calls.ts';
import { createSettingsCalls } from '../doors/ui/calls/settings-calls.ts';
import { createToolsCalls } from '../doors/ui/calls/tools-calls.ts';
import { createUndoCalls } from '../doors/ui/calls/undo-calls.ts';
import { fewAtATime } from '../doors/ui/few-at-a-time.ts';
import type { UiHandlers } from '../doors/ui/handlers.ts';
import { createWorkBudget } from '../doors/ui/work-budget.ts';
import { createContextReader } from '../kubeconfig/contexts.ts';
import { readKubeconfigs } from '../kubeconfig/read/read-kubeconfigs.ts';
import { setCurrentContext } from '../kubeconfig/set-current-context.ts';
import { createClusterEntries } from '../operations/cluster-entries.ts';
import type { BrokerParts } from './broker-parts.ts';
import type { createUiImporting } from './importing.ts';

/** All that read the history but for the one that goes on until it is cancelled. */
const readHistory = [
  'cluster.lane',
  'lanes',
  'cluster.calls',
  'cluster.askers',
  'metrics.objectives',
  'metrics.overTime',
  'metrics.text',
  'activity.query',
  'activity.export',
] as const;

/** Reading and planning a large kubeconfig keeps the thread for most of a second; a person does it a few times. */
const importWork = { atOnce: 4_000, share: 0.25 };

/** An answer to each of the UI's calls: one file for each area. */
export function createUiCalls(
  parts: BrokerParts,
  importing: ReturnType<typeof createUiImporting>,
): UiHandlers {
  const { grants, environment } = parts;
  const forget = (name: string) => {
    parts.approvals.forgetAccount(name);
    grants.forget(name);
  };
  const plugins = createPluginReader({
    ...parts,
    config: parts.serving,
    history: parts.history.reader,
    heldOf: (name) => grants.heldFor(name),
  });
  const onOpened = (seen?: LoadedConfig, programs?: SeenPrograms) =>
    parts.bindings.adoptNewVault(seen, programs);
  const eyes = createClusterEyes(grants, environment);
  const windowKinds = {
    ...parts,
    onOpened,
    onChanged: (name: string) => grants.forget(name),
    subjectOf: async (account: string) =>
      (await parts.directory.peekAccount(account)?.state())?.subject ?? null,
  };
  return {
    ...createLockCalls({
      ...parts,
      onOpened,
      unlockWindow: () => windowFor({ what: 'unlock' }, windowKinds),
    }),
    ...createLoginCalls({ ...parts, grants: { forget } }),
    ...createApprovalCalls(parts),
    ...fewAtATime(
      4,
      {
        ...createHistoryCalls({ ...parts, config: parts.serving }),
        ...createMetricsCalls({ ...parts, plugins }),
        ...createActivityCalls(parts),
      },
      readHistory,
    ),
    ...createClustersCalls({
      ...parts,
      kubeconfigs: { files: parts.watched, read: createContextReader(readKubeconfigs) },
    }),
    ...createClusterDetailCalls({
      ...parts,
      config: parts.serving,
      look: (account, cluster) => grants.look(account, cluster),
      peek: (account, cluster, signal) => grants.peek(account, cluster, signal),
      whoAmI: eyes.whoAmI,
    }),
    ...createClusterEditingCalls({ ...parts, clusterEntries: createClusterEntries(parts) }),
    ...createAccountsCalls({
      ...parts,
      plugins,
      onRemoved: forget,
    }),
    ...fewAtATime(
      1,
      createSettingsCalls({
        ...parts,
        pid: process.pid,
        clusters: eyes,
      }),
      ['doctor.run', 'bundle.make'],
    ),
    ...fewAtATime(
      1,
      createImportCalls(importing),
      ['import.found', 'import.plan', 'import.diff', 'import.stands'],
      createWorkBudget(importWork, parts.clock),
    ),
    ...createUndoCalls({ ...importing, windows: parts.windows }),
    ...createContextCalls({
      ...parts,
      setCurrentContext: (wanted) =>
        setCurrentContext(wanted, { ...parts, processes: parts.identity, host: hostname() }),
    }),
    ...createDesktopCalls(parts),
    ...createToolsCalls(parts),
    ...createConfirmingCalls(windowKinds),
  };
}
