import { hostname } from 'node:os';
import { AccountRegistry, type AccountRegistryDeps } from './account-registry.ts';
import { createClientCertificateAccount } from './accounts/client-certificate/client-certificate-account.ts';
import { createOidcAccount, type OidcDeps } from './accounts/oidc/oidc-account.ts';
import { createSecretFileReader } from './accounts/secret-file.ts';
import { createStaticTokenAccount } from './accounts/static-token/static-token-account.ts';
import { Approvals } from './approvals/approvals.ts';
import { TerminalTurns } from './approvals/terminal-turns.ts';
import { UnknownServers } from './approvals/unknown-servers.ts';
import { type Disposable, Disposables } from './base/disposables.ts';
import { SingleFlight } from './base/single-flight.ts';
import { Bindings } from './bindings.ts';
import { durationMilliseconds } from './contract/duration.ts';
import { createClusterEyes } from './doctor/cluster-eyes.ts';
import type { ProxyEnvironment } from './domain/choose-proxy.ts';
import { createDestinationMatcher } from './domain/destination.ts';
import { classifyUser } from './domain/import/index.ts';
import type { Paths } from './domain/paths.ts';
import { accountAddCommand, accountListCommand, accountRemoveCommand } from './doors/cli/account-commands.ts';
import { auditCommand } from './doors/cli/audit-command.ts';
import { isAutomaticRequest } from './doors/cli/automatic-request.ts';
import { clusterAddCommand, clusterListCommand, clusterRemoveCommand } from './doors/cli/cluster-commands.ts';
import type { Command } from './doors/cli/command.ts';
import { completeNamesCommand } from './doors/cli/complete-command.ts';
import { confirmCommand } from './doors/cli/confirm-command.ts';
import { contextCommand } from './doors/cli/context-command.ts';
import { doctorCommand } from './doors/cli/doctor-command.ts';
import { envCommand } from './doors/cli/env-command.ts';

import { historyCommand } from './doors/cli/history-command.ts';
import { importCommand } from './doors/cli/import-command.ts';
import { createCliDoor } from './doors/cli/index.ts';
import { installCommand } from './doors/cli/install-command.ts';
import { kubeconfigWriteCommand } from './doors/cli/kubeconfig-command.ts';
import { kubeconfigDismissCommand } from './doors/cli/kubeconfig-dismiss-command.ts';
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
import { secretSetCommand } from './doors/cli/secret-command.ts';
import { statusCommand } from './doors/cli/status-command.ts';
import { kubeconfigUndoCommand } from './doors/cli/undo-command.ts';
import { uninstallCommand } from './doors/cli/uninstall-command.ts';
import { vaultExportCommand, vaultResetCommand, vaultRestoreCommand } from './doors/cli/vault-commands.ts';
import type { Door } from './doors/door.ts';
import { createKubeDoor } from './doors/kube/index.ts';
import { Grants } from './grants/grants.ts';
import { Logins } from './grants/logins.ts';
import type { History } from './history/index.ts';
import { IdleLock } from './idle-lock.ts';

import type { Leaving } from './installed/leave-home.ts';
import type { Ledger } from './installed/ledger.ts';
import { createInstallDeps, createUninstallDeps } from './installed/wiring.ts';
import { createContextReader } from './kubeconfig/contexts.ts';
import { createImporter } from './kubeconfig/import/importer.ts';
import { readSource } from './kubeconfig/import/read-source.ts';
import { createReplaceFile, readText } from './kubeconfig/import/replace-file.ts';
import { createUndoKubeconfigs } from './kubeconfig/import/undo-kubeconfigs.ts';
import { kubeconfigPaths, usualKubeconfig } from './kubeconfig/read/kubeconfig-paths.ts';
import { readKubeconfigs } from './kubeconfig/read/read-kubeconfigs.ts';
import { setCurrentContext } from './kubeconfig/set-current-context.ts';
import { createKubeconfigWatch } from './kubeconfig/watch/kubeconfig-watch.ts';
import { openKubeconfigState } from './kubeconfig/watch/state-file.ts';
import {
  type WriteManagedKubeconfig,
  writeManagedKubeconfig,
} from './kubeconfig/write-managed-kubeconfig.ts';
import { findKubectl } from './kubernetes/find-kubectl.ts';

import { createLock, watchOpenings } from './lock.ts';
import { createCountingRecorder } from './metrics/counting-recorder.ts';
import { createMetrics } from './metrics/create-metrics.ts';
import { createScrapeEndpoint } from './metrics/scrape-endpoint.ts';
import type { Obtained } from './ports/account.ts';
import type { Browser } from './ports/browser.ts';
import type { Clock } from './ports/clock.ts';
import type { ClusterProbe } from './ports/cluster-probe.ts';
import type { ConfigStore } from './ports/config-store.ts';
import type { Keychain } from './ports/keychain.ts';
import type { Log } from './ports/log.ts';
import type { PeerIdentity } from './ports/peer-identity.ts';
import type { SystemEvents } from './ports/system-events.ts';
import type { Listener } from './socket/listener.ts';
import { serve } from './socket/server.ts';
import { createStatusReader, readExpiries } from './status.ts';
import type { VaultControl } from './vault/index.ts';

/** All that the broker needs from outside. */
export interface BrokerDeps {
  version: string;
  paths: Paths;
  clock: Clock;
  log: Log;
  history: History;
  probe: ClusterProbe;
  events: SystemEvents;
  identity: PeerIdentity;
  listener: Listener;
  config: ConfigStore;
  vault: VaultControl;
  keychain: Keychain;
  browser: Browser;
  /** What lies outside the home. */
  ledger: Ledger;
  /** The manual page's file. */
  manPage: string;
  /** Ends the broker, and removes that of the home. */
  leave(what: Leaving): void;
  /** The broker's own environment: proxies are looked up there. */
  environment: ProxyEnvironment;
}

/** The broker: wiring only. Listens when the promise resolves; disposing it ends all that it began. */
export async function createBroker(deps: BrokerDeps): Promise<Disposable> {
  const { clock, log, config, vault, paths } = deps;
  const disposables = new Disposables();
  const metrics = createMetrics({
    version: deps.version,
    isKnown: (what, name) => config.current()[what === 'account' ? 'accounts' : 'clusters'].has(name),
    expiries: () => readExpiries(status, clock),
    isLocked: () => lock.gate() !== null,
  });
  const recorder = createCountingRecorder(deps.history, metrics);
  const logins: Logins = new Logins({ log, recorder, onDone: (name) => grants.loggedIn(name) });
  const grants: Grants = disposables.add(
    new Grants({
      clock,
      log,
      logins,
      recorder,
      probe: deps.probe,
      events: deps.events,
      isOpen: () => lock.gate() === null,
    }),
  );
  const bindings = new Bindings({ config, vault });
  const scraping = disposables.add(
    createScrapeEndpoint({ metrics, listen: () => bindings.settings()?.metrics.listen, log }),
  );
  const applySettings = () => {
    const keep = bindings.settings()?.history.keep;
    deps.history.keep(keep === undefined ? Infinity : (durationMilliseconds(keep) ?? Infinity));
    idleLock.limitChanged();
    return scraping.update();
  };
  const destination = createDestinationMatcher();
  const asking = { clock, recorder, turns: new TerminalTurns() };
  const approvals = new Approvals(asking);
  const unknownServers = new UnknownServers({ ...asking, config, bindings, destination });
  const questions = [approvals, unknownServers];
  const lock = createLock({ vault, grants, logins, recorder, questions });
  const idleLock = disposables.add(new IdleLock({ clock, log, lock, limit: () => bindings.idleLimit() }));
  const make = createAccountMaker(deps);
  const directory = new AccountRegistry({
    config,
    bindings,
    make,
    onGone: (name) => {
      logins.cancel(name, `the configuration of ${name} changed`);
      grants.forget(name);
      approvals.forgetAccount(name);
    },
  });
  const kubeconfigState = await openKubeconfigState({ file: paths.kubeconfigs, log });
  const kubeconfigWatch = disposables.add(
    createKubeconfigWatch({
      files: [...usualKubeconfig(deps.environment, process.platform), paths.kubeconfig],
      state: kubeconfigState,
      read: readKubeconfigs,
      classify: classifyUser,
      clock,
      log,
    }),
  );
  const status = createStatusReader({
    version: deps.version,
    pid: process.pid,
    home: paths.home,
    clock,
    vault,
    lock,
    idleLock,
    config,
    bindings,
    peekAccount: (name) => directory.peekAccount(name),
    grants,
    history: deps.history,
    scraping,
    imports: kubeconfigWatch,
  });

  await bindings.adoptNewVault();
  disposables.add(bindings.onConfirmed(() => void applySettings()));
  disposables.add(
    watchOpenings(vault, recorder, () => {
      idleLock.touch();
      void applySettings();
    }),
  );
  disposables.add(
    config.onChange(() => {
      directory.refresh();
      approvals.refresh(config.current());
    }),
  );
  await applySettings();

  const gate = () => idleLock.gate();
  const forget = (name: string) => grants.forget(name);
  const forgetWithAnswers = (name: string) => {
    approvals.forgetAccount(name);
    grants.forget(name);
  };
  const kubeconfigs = {
    pathsOf: (variables: Readonly<Record<string, string>>, cwd: string) =>
      kubeconfigPaths(variables, process.platform, cwd),
    contexts: createContextReader(readKubeconfigs),
  };
  const edits = { config, bindings, vault, status, recorder };
  const sessions = { directory, logins, grants, gate, recorder };
  const locking = { lock, vault, recorder, onOpened: () => bindings.adoptNewVault() };
  const slots = { vault, recorder };
  const writeManaged: WriteManagedKubeconfig = (clusters, apiVersion, namespaces) =>
    writeManagedKubeconfig({
      path: paths.kubeconfig,
      clusters,
      apiVersion,
      namespaces,
      helperPath: paths.helper,
      home: paths.homeVariable,
    });
  const editing = {
    config,
    bindings,
    vault,
    recorder,
    clock,
    read: readText,
    replace: createReplaceFile({ clock, processes: deps.identity, host: hostname() }),
  };
  const replacing = {
    ...locking,
    config,
    onReplaced: () => {
      logins.cancelAll('the vault was replaced');
      grants.forgetAll();
    },
  };
  const seen = createClusterEyes(grants, deps.environment);
  const installed = { ...deps, recorder, platform: process.platform };
  const commands = new Map<string, Command>([
    ['login', loginCommand(sessions)],
    ['logout', logoutCommand({ ...sessions, grants: { forget: forgetWithAnswers }, browser: deps.browser })],
    ['status', statusCommand({ status, vault, ...kubeconfigs })],
    [
      'context',
      contextCommand({
        ...kubeconfigs,
        status,
        state: kubeconfigState,
        setCurrentContext: (wanted) =>
          setCurrentContext(wanted, { clock, processes: deps.identity, host: hostname() }),
      }),
    ],
    ['env', envCommand({ ...kubeconfigs, path: paths.kubeconfig, platform: process.platform })],
    [
      'doctor',
      doctorCommand({ ...deps, pid: process.pid, gate, bindings, directory, scraping, clusters: seen }),
    ],
    ['audit', auditCommand({ history: deps.history.reader, config, clock })],
    ['history', historyCommand({ history: deps.history.reader, config, status, clock })],
    ['metrics', metricsCommand({ metrics })],
    ['complete-names', completeNamesCommand({ config, ...kubeconfigs })],
    ['account add', accountAddCommand({ ...edits, onRemoved: forget })],
    ['account list', accountListCommand({ ...edits, onRemoved: forget })],
    ['account remove', accountRemoveCommand({ ...edits, onRemoved: forget })],
    ['cluster add', clusterAddCommand(edits)],
    ['cluster list', clusterListCommand(edits)],
    ['cluster remove', clusterRemoveCommand(edits)],
    ['secret set', secretSetCommand({ config, vault, recorder, onChanged: forget })],
    ['confirm', confirmCommand({ config, bindings, recorder })],
    [
      'kubeconfig write',
      kubeconfigWriteCommand({ directory, gate, path: paths.kubeconfig, write: writeManaged }),
    ],
    [
      'kubeconfig import',
      importCommand({
        paths: (environment, cwd) => kubeconfigPaths(environment, process.platform, cwd),
        read: readSource,
        apiVersion: async (path) => (((await findKubectl(path ?? ''))?.knowsV1 ?? true) ? 'v1' : 'v1beta1'),
        ...createImporter({ ...editing, helperPath: paths.helper, home: paths.homeVariable }),
        writeManaged: (apiVersion, namespaces) =>
          writeManaged([...config.current().clusters.values()], apiVersion, namespaces),
        markSeen: (merged) => kubeconfigWatch.markSeen(merged),
        managed: paths.kubeconfig,
        config: paths.config,
      }),
    ],
    ['kubeconfig dismiss', kubeconfigDismissCommand({ watch: kubeconfigWatch })],
    ['kubeconfig undo', kubeconfigUndoCommand(editing)],
    ['install', installCommand(createInstallDeps(installed))],
    [
      'uninstall',
      uninstallCommand(createUninstallDeps({ ...installed, kubeconfigs: createUndoKubeconfigs(editing) })),
    ],
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
  const kube = createKubeDoor({
    directory,
    destination,
    approvals,
    unknownServers,
    grants,
    recorder,
    clock,
    gate,
  });
  const doors = new Map<string, Door>([
    ['kube', idleLock.guard('kube', kube)],
    ['cli', idleLock.guard('cli', createCliDoor(commands, log), isAutomaticRequest)],
  ]);
  disposables.add(
    await serve({
      listener: deps.listener,
      clock,
      log,
      identity: deps.identity,
      doors,
      brokerVersion: deps.version,
    }),
  );
  return {
    dispose: async () => {
      logins.cancelAll('the broker stops');
      await disposables.dispose();
    },
  };
}

/** Each kind of account by its key in config.yaml; a new kind is added here. */
function createAccountMaker({
  vault,
  clock,
  log,
  browser,
  environment,
}: BrokerDeps): AccountRegistryDeps['make'] {
  const files = createSecretFileReader();
  const renewals = new SingleFlight<string, Obtained>();
  const unsaved: OidcDeps['unsaved'] = new Map();
  return (account, isCurrent) => {
    if ('oidc' in account.config) {
      return createOidcAccount({
        account,
        vault,
        clock,
        log,
        browser,
        isCurrent,
        renewals,
        unsaved,
        environment,
      });
    }
    return 'staticToken' in account.config
      ? createStaticTokenAccount({ account, vault, files, clock })
      : createClientCertificateAccount({ account, vault, files, clock });
  };
}
