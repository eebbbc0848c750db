import { createPluginReader } from '../accounts/plugins/report.ts';
import { createClusterEyes } from '../doctor/cluster-eyes.ts';
import type { LoadedConfig } from '../domain/config/loaded-config.ts';
import type { SeenPrograms } from '../domain/program/program-standing.ts';
import {
  accountAddCommand,
  accountListCommand,
  accountRemoveCommand,
} from '../doors/cli/accounts/account-commands.ts';
import { loginCommand } from '../doors/cli/accounts/login-commands.ts';
import { logoutCommand } from '../doors/cli/accounts/logout-command.ts';
import { pluginListCommand, pluginShowCommand } from '../doors/cli/accounts/plugin-commands.ts';
import { secretSetCommand } from '../doors/cli/accounts/secret-command.ts';
import { auditCommand } from '../doors/cli/activity/audit-command.ts';
import { historyCommand } from '../doors/cli/activity/history-command.ts';
import { metricsCommand } from '../doors/cli/activity/metrics-command.ts';
import { confirmCommand } from '../doors/cli/approvals/confirm-command.ts';
import {
  clusterAddCommand,
  clusterListCommand,
  clusterRemoveCommand,
} from '../doors/cli/clusters/cluster-commands.ts';
import { execCredentialCommand } from '../doors/cli/clusters/exec-credential-command.ts';
import type { Command } from '../doors/cli/command.ts';
import { doctorCommand } from '../doors/cli/status/doctor-command.ts';
import { statusCommand } from '../doors/cli/status/status-command.ts';
import { completeNamesCommand } from '../doors/cli/tools/complete-command.ts';
import { installCommand } from '../doors/cli/tools/install-command.ts';
import { uiCommand } from '../doors/cli/tools/ui-command.ts';
import { uninstallCommand } from '../doors/cli/tools/uninstall-command.ts';
import { lockCommand, unlockCommand } from '../doors/cli/vault/lock-commands.ts';
import {
  passphraseChangeCommand,
  passphraseRemoveCommand,
  passphraseSetCommand,
  recoveryKeyCreateCommand,
} from '../doors/cli/vault/passphrase-commands.ts';
import {
  vaultExportCommand,
  vaultResetCommand,
  vaultRestoreCommand,
} from '../doors/cli/vault/vault-commands.ts';
import { createUninstallDeps } from '../installed/wiring.ts';
import { createUndoKubeconfigs } from '../kubeconfig/import/undo-kubeconfigs.ts';
import type { VaultContent } from '../ports/vault.ts';
import type { BrokerParts } from './broker-parts.ts';
import { createEditing } from './importing.ts';
import { createKubeconfigCommands, createPersonsKubeconfigs } from './kubeconfig-commands.ts';

/** Every command of the command line, by its words. */
export function createCliCommands(parts: BrokerParts): Map<string, Command> {
  const { config, serving, vault, clock, recorder, status, bindings, grants, logins, lock, directory, gate } =
    parts;
  const forget = (name: string) => grants.forget(name);
  const forgetWithAnswers = (name: string) => {
    parts.approvals.forgetAccount(name);
    grants.forget(name);
  };
  const persons = createPersonsKubeconfigs();
  const edits = { config, bindings, vault, status, recorder, look: parts.look };
  const sessions = { directory, logins, grants, gate, recorder };
  const locking = {
    ...{ lock, vault, recorder, config, look: parts.look },
    onOpened: (seen?: LoadedConfig, programs?: SeenPrograms) => bindings.adoptNewVault(seen, programs),
  };
  const slots = { vault, recorder };
  const replacing = {
    ...locking,
    config,
    keepPending: (content: VaultContent) => bindings.keepPending(content),
    onReplaced: () => {
      logins.cancelAll('the vault was replaced');
      grants.forgetAll();
    },
  };
  const history = parts.history.reader;
  const plugins = {
    config: serving,
    reader: createPluginReader({
      ...parts,
      config: serving,
      history,
      heldOf: (name) => grants.heldFor(name),
    }),
    clock: parts.clock,
  };
  const clusters = createClusterEyes(grants, parts.environment);
  const installed = { ...parts, platform: process.platform };
  const kubeconfigs = createUndoKubeconfigs(createEditing(parts));
  return new Map<string, Command>([
    ['login', loginCommand(sessions)],
    ['logout', logoutCommand({ ...sessions, grants: { forget: forgetWithAnswers }, browser: parts.browser })],
    ['status', statusCommand({ status, vault, ...persons })],
    ['doctor', doctorCommand({ ...parts, config: serving, pid: process.pid, clusters })],
    ['audit', auditCommand({ history, config, clock })],
    ['history', historyCommand({ history, config: serving, status, clock })],
    ['metrics', metricsCommand({ metrics: parts.metrics })],
    ['exec-credential', execCredentialCommand(parts)],
    ['complete-names', completeNamesCommand({ config, ...persons })],
    ['plugin list', pluginListCommand(plugins)],
    ['plugin show', pluginShowCommand(plugins)],
    ['account add', accountAddCommand({ ...edits, onRemoved: forget })],
    ['account list', accountListCommand({ ...edits, onRemoved: forget })],
    ['account remove', accountRemoveCommand({ ...edits, onRemoved: forget })],
    ['cluster add', clusterAddCommand(edits)],
    ['cluster list', clusterListCommand(edits)],
    ['cluster remove', clusterRemoveCommand(edits)],
    ['secret set', secretSetCommand({ config: serving, vault, clock, recorder, onChanged: forget })],
    ['ui', uiCommand(parts)],
    ['confirm', confirmCommand(parts)],
    ...createKubeconfigCommands({ ...parts, ...persons, forget }),
    ['install', installCommand(parts)],
    ['uninstall', uninstallCommand(createUninstallDeps({ ...installed, kubeconfigs }))],
    ['lock', lockCommand(locking)],
    ['unlock', unlockCommand(locking)],
    ['passphrase set', passphraseSetCommand(slots)],
    ['passphrase change', passphraseChangeCommand(slots)],
    ['passphrase remove', passphraseRemoveCommand(slots)],
    ['recovery-key create', recoveryKeyCreateCommand(slots)],
    ['vault restore', vaultRestoreCommand(replacing)],
    ['vault export', vaultExportCommand(replacing)],
    ['vault reset', vaultResetCommand(replacing)],
  ]);
}
