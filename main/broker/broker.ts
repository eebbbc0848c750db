import { hostname } from 'node:os';
import { AccountRegistry } from '../access/account-registry.ts';
import { Bindings } from '../access/bindings.ts';
import { IdleLock } from '../access/idle-lock.ts';
import { createLock, watchOpenings } from '../access/lock.ts';
import { lockWithScreen } from '../access/screen-lock.ts';
import { createStatusReader, readExpiries } from '../access/status.ts';
import { LateTabs } from '../accounts/oidc/login/late-tabs.ts';
import { createBoundPrograms } from '../accounts/plugins/bound-programs.ts';
import { type HeldCredential, isPlugin, pluginCertificateEnds } from '../accounts/plugins/certificates.ts';
import { PluginMemory } from '../accounts/plugins/memory.ts';
import { type Disposable, Disposables } from '../base/disposables.ts';
import { Approvals } from '../consent/approvals/approvals.ts';
import { QuestionBoard } from '../consent/approvals/question-board.ts';
import { TerminalTurns } from '../consent/approvals/terminal-turns.ts';
import { UnknownServers } from '../consent/approvals/unknown-servers.ts';
import { createBrowserHost } from '../consent/windows/browser-host.ts';
import { createPersonGate } from '../consent/windows/person-gate.ts';
import { createWindows } from '../consent/windows/windows.ts';
import { durationMilliseconds } from '../contract/duration.ts';
import { classifyUser } from '../domain/import/index.ts';
import { bindingsOf } from '../domain/program/program-standing.ts';
import { createDestinationMatcher } from '../domain/server/destination.ts';
import { askerOf } from '../doors/cli/asker-of.ts';
import { createCliDoor } from '../doors/cli/index.ts';
import { createKubeDoor } from '../doors/kube/index.ts';
import { createUiDoor, type UiDoor } from '../doors/ui/index.ts';
import { createRecentEvents } from '../doors/ui/state/recent-events.ts';
import { createWebUi } from '../doors/ui/web/index.ts';
import { Grants } from '../grants/grants.ts';
import { Logins } from '../grants/logins.ts';
import { restoreRejecting } from '../grants/rejecting-after.ts';
import { createCountingRecorder } from '../history/metrics/counting-recorder.ts';
import { createMetrics } from '../history/metrics/create-metrics.ts';
import { createScrapeEndpoint } from '../history/metrics/scrape-endpoint.ts';
import { packagedFolder } from '../installed/packaged.ts';
import { createInstallDeps } from '../installed/wiring.ts';
import { createContextReader } from '../kubeconfig/contexts.ts';
import { freeStaleLocks } from '../kubeconfig/edit/index.ts';
import { ownKubeconfigs, usualKubeconfig } from '../kubeconfig/read/kubeconfig-paths.ts';
import { readKubeconfigs } from '../kubeconfig/read/read-kubeconfigs.ts';
import { createContextsWatch } from '../kubeconfig/watch/contexts-watch.ts';
import { createKubeconfigWatch } from '../kubeconfig/watch/kubeconfig-watch.ts';
import { openKubeconfigState } from '../kubeconfig/watch/state-file.ts';
import { createCommandTools } from '../operations/command-tools.ts';
import { createRedirectFile } from '../platform/browser/redirect-file.ts';
import { createPluginLook, lookAtPlugins } from '../platform/programs/plugin-look.ts';
import { serve } from '../platform/socket/server.ts';
import type { ConfigInForce } from '../ports/config-store.ts';
import type { Door } from '../ports/door.ts';
import { createAccountMaker } from './account-maker.ts';
import type { BrokerDeps } from './broker-deps.ts';
import type { BrokerParts } from './broker-parts.ts';
import { createCliCommands } from './cli-commands.ts';
import { createImporting, createUiImporting } from './importing.ts';
import { createUiCalls } from './ui-calls.ts';
import { createUiStateSources } from './ui-sources.ts';

export interface Broker extends Disposable {
  /** What a window of the desktop app is connected to. */
  readonly ui: UiDoor;
}

/** The broker: wiring only. Listens when the promise resolves; disposing it ends all that it began. */
export async function createBroker(deps: BrokerDeps): Promise<Broker> {
  const { clock, log, config, vault, paths } = deps;
  const disposables = new Disposables();
  const metrics = createMetrics({
    version: deps.version,
    isKnown: (what, name) => config.current()[what === 'account' ? 'accounts' : 'clusters'].has(name),
    expiries: () => readExpiries(status, clock),
    isLocked: () => lock.gate() !== null,
    isPlugin: (name) => isPlugin(serving.current().accounts.get(name)),
    pluginCertificateEnds: () => pluginCertificateEnds(serving, heldOf, clock.now()),
    clock,
  });
  const heldOf = (name: string): readonly HeldCredential[] => grants.heldOrEndedFor(name);
  const recorder = createCountingRecorder(deps.history, metrics);
  const logins: Logins = new Logins({
    clock,
    log,
    recorder,
    onDone: (name) => grants.loggedIn(name),
    isTold: () => config.current().settings.notifications.logins && (deps.desktop?.tellsNow() ?? false),
  });
  const grants: Grants = disposables.add(
    new Grants({
      clock,
      log,
      logins,
      recorder,
      probe: deps.probe,
      usable: (name) => {
        const found = directory.cluster(name);
        if (!found.ok) {
          return null;
        }
        const account = directory.account(found.cluster.config.account);
        return account.ok ? { cluster: found.cluster, account: account.account } : null;
      },
      events: deps.events,
      isOpen: () => lock.gate() === null,
    }),
  );
  const look = createPluginLook();
  const bindings: Bindings = new Bindings({
    config,
    vault,
    programs: async (accounts) => bindingsOf(await lookAtPlugins(look, accounts)),
  });
  // What serves: of what is pending, the form that was approved (rule: confirmed-binding).
  const serving: ConfigInForce = {
    file: config.file,
    current: () => bindings.inForce(),
    problems: () => config.problems(),
  };
  const isServed = (name: string) => bindings.isServed('account', name);
  const programs = createBoundPrograms({ vault, look, config: serving, clock, isServed });
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
  const yesInWindow = deps.windowHost?.decidesAll ?? false;
  const board = disposables.add(new QuestionBoard(clock, { yesInWindow }));
  const asking = { clock, recorder, turns: new TerminalTurns(), board };
  const approvals = new Approvals(asking);
  const unknownServers = new UnknownServers({ ...asking, config, bindings, destination });
  const questions = [approvals, unknownServers];
  const lock = createLock({ vault, grants, logins, recorder, questions });
  const idleLock = disposables.add(new IdleLock({ clock, log, lock, limit: () => bindings.idleLimit() }));
  disposables.add(
    lockWithScreen({ events: deps.events, lock, isWanted: () => bindings.locksWithScreen(), log }),
  );
  const pluginMemory = new PluginMemory();
  const lateTabs = disposables.add(new LateTabs(clock));
  const make = createAccountMaker({ ...deps, lateTabs, recorder, programs, pluginMemory });
  const directory: AccountRegistry = new AccountRegistry({
    config: serving,
    bindings,
    make,
    onGone: (name) => {
      logins.cancel(name, `the configuration of ${name} changed`);
      grants.forget(name);
      approvals.forgetAccount(name);
      pluginMemory.forget(name);
    },
  });
  const kubeconfigState = await openKubeconfigState({ file: paths.kubeconfigs, log });
  const watched = [...usualKubeconfig(deps.environment, process.platform), paths.kubeconfig];
  const kubeconfigWatch = disposables.add(
    createKubeconfigWatch({
      files: watched,
      state: kubeconfigState,
      read: readKubeconfigs,
      classify: classifyUser,
      clock,
      log,
    }),
  );
  const ownFiles = ownKubeconfigs(deps.environment, process.platform, paths.home);
  const contextsWatch = disposables.add(
    createContextsWatch({
      files: ownFiles,
      managed: paths.kubeconfig,
      read: createContextReader(readKubeconfigs),
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
    config: serving,
    bindings,
    programs,
    peekAccount: (name) => directory.peekAccount(name),
    grants,
    history: deps.history,
    scraping,
    imports: kubeconfigWatch,
  });

  const freeLocks = async () => {
    const edited = vault.state().kind === 'open' ? vault.read().backups.map(({ file }) => file) : [];
    const freed = await freeStaleLocks([...watched, ...ownFiles, ...edited], {
      processes: deps.identity,
      host: hostname(),
    });
    for (const lock of freed) {
      log.info('kubeconfig.lockFreed', { lock });
    }
  };

  await bindings.adoptNewVault();
  const keepForms = () =>
    bindings.keepForms().catch((error: unknown) => log.warn('bindings.forms', { error: String(error) }));
  await keepForms();
  await freeLocks();
  const restored = restoreRejecting(deps.history.reader, grants, clock).catch((error: unknown) =>
    log.warn('grants.notRestored', { error }),
  );
  disposables.add({ dispose: () => restored });
  const servingChanged = () => {
    directory.refresh();
    approvals.refresh(serving.current());
    void applySettings();
  };
  disposables.add(bindings.onConfirmed(servingChanged));
  disposables.add(
    watchOpenings(vault, recorder, () => {
      idleLock.touch();
      servingChanged();
      void keepForms();
      void freeLocks();
    }),
  );
  disposables.add(
    config.onChange(() => {
      servingChanged();
      void keepForms();
    }),
  );
  await applySettings();

  const gate = () => idleLock.gate();
  const importing = createImporting({
    ...deps,
    serving,
    bindings,
    recorder,
    kubeconfigState,
    kubeconfigWatch,
    forget: (name) => grants.forget(name),
  });
  const windowRedirect = disposables.add(
    createRedirectFile({ file: paths.windowRedirect, browser: deps.browser, clock }),
  );
  await windowRedirect.remove();
  const host = deps.windowHost ?? disposables.add(createBrowserHost({ ...deps, redirect: windowRedirect }));
  const person = createPersonGate({ check: deps.personCheck, settings: () => bindings.settings() });
  const windows = disposables.add(createWindows({ clock, log, host, person }));
  const tools = createCommandTools({
    ...deps,
    ...createInstallDeps({ ...deps, platform: process.platform }),
    packaged: () => packagedFolder(deps.ownHelper),
    recorder,
  });
  const parts: BrokerParts = {
    ...deps,
    metrics,
    recorder,
    logins,
    grants,
    bindings,
    serving,
    scraping,
    approvals,
    lock,
    directory,
    programs,
    look,
    pluginMemory,
    kubeconfigState,
    kubeconfigWatch,
    contextsWatch,
    status,
    gate,
    web: { invite: () => web.invite() },
    redirect: { open: (address, done) => redirect.open(address, done) },
    importing,
    idleLock,
    watched,
    board,
    unknownServers,
    windows,
    person,
    makeAccount: make,
    tools,
  };
  const commands = createCliCommands(parts);
  const recent = disposables.add(
    createRecentEvents({ ...deps, history: deps.history.reader, changed: () => ui.changed() }),
  );
  const ui: UiDoor = disposables.add(
    createUiDoor({
      clock,
      log,
      touch: () => idleLock.touch(),
      sources: createUiStateSources({ ...parts, recent }),
      pageJoined: () => board.pageJoined(),
      handlers: createUiCalls(parts, disposables.add(createUiImporting(parts))),
    }),
  );
  const web = disposables.add(createWebUi({ ...deps, door: ui, folder: deps.pages }));
  const redirect = disposables.add(
    createRedirectFile({ file: paths.uiRedirect, browser: deps.browser, clock }),
  );
  await redirect.remove();
  await web.vaultChanged();
  disposables.add(vault.onChange(() => void web.vaultChanged()));
  for (const source of [
    deps.history.reader.onRecorded(({ event }) => ui.changed(event.kind === 'call' ? 'byCall' : undefined)),
    vault.onChange(() => ui.changed()),
    vault.onUpdated(() => ui.changed()),
    config.onChange(() => ui.changed()),
    bindings.onConfirmed(() => ui.changed()),
    logins.onChange(() => ui.changed()),
    board.onChange(() => ui.changed()),
    windows.onChange(() => ui.changed()),
    contextsWatch.onChange(() => ui.changed()),
    tools.onChange(() => ui.changed()),
    ...(deps.desktop ? [deps.desktop.onChange(() => ui.changed())] : []),
    vault.onChange(() => windows.look()),
    config.onChange(() => windows.look()),
    bindings.onConfirmed(() => windows.look()),
    board.onChange(() => windows.look()),
  ]) {
    disposables.add(source);
  }
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
    ['kube', idleLock.guard(kube, () => 'program')],
    ['cli', idleLock.guard(createCliDoor(commands, log), askerOf)],
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
  const repaired = tools.repair();
  disposables.add({ dispose: () => repaired });
  return {
    ui,
    dispose: async () => {
      logins.cancelAll('the broker stops');
      await disposables.dispose();
    },
  };
}
