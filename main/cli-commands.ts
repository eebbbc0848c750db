import type { BrokerParts } from './broker-parts.ts';
import { createClusterEyes } from './doctor/cluster-eyes.ts';
import type { LoadedConfig } from './domain/loaded-config.ts';
import type { SeenPrograms } from './domain/program-standing.ts';
import { accountAddCommand, accountListCommand, accountRemoveCommand } from './doors/cli/account-commands.ts';
import { auditCommand } from './doors/cli/audit-command.ts';
import { clusterAddCommand, clusterListCommand, clusterRemoveCommand } from './doors/cli/cluster-commands.ts';
import type { Command } from './doors/cli/command.ts';
import { completeNamesCommand } from './doors/cli/complete-command.ts';
import { confirmCommand } from './doors/cli/confirm-command.ts';
import { doctorCommand } from './doors/cli/doctor-command.ts';
import { execCredentialCommand } from './doors/cli/exec-credential-command.ts';
import { historyCommand } from './doors/cli/history-command.ts';
import { installCommand } from './doors/cli/install-command.ts';
import { lockCommand, unlockCommand } from './doors/cli/lock-commands.ts';
import { loginCommand } from './doors/cli/login-commands.ts';
import { logoutCommand } from './doors/cli/logout-command.ts';
import { metricsCommand } from './doors/cli/metrics-command.ts';
import {
  passphraseChangeCommand,
  passphraseRemoveCommand,
  passphraseSetCommand,
  recoveryKeyCreateCommand,
} from './doors/cli/passphrase-commands.ts';
import { pluginListCommand, pluginShowCommand } from './doors/cli/plugin-commands.ts';
import { secretSetCommand } from './doors/cli/secret-command.ts';
import { statusCommand } from './doors/cli/status-command.ts';
import { uiCommand } from './doors/cli/ui-command.ts';
import { uninstallCommand } from './doors/cli/uninstall-command.ts';
import { vaultExportCommand, vaultResetCommand, vaultRestoreCommand } from './doors/cli/vault-commands.ts';
import { createEditing } from './importing.ts';
import { createUninstallDeps } from './installed/wiring.ts';
import { createUndoKubeconfigs } from './kubeconfig/import/undo-kubeconfigs.ts';
import { createKubeconfigCommands, createPersonsKubeconfigs } from './kubeconfig-commands.ts';
import { createPluginReader } from './plugins/report.ts';
import type { VaultContent } from './ports/vault.ts';

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
