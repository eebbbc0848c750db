import { createStatusReader, readExpiries } from '../access/status.ts';
import { createPluginReader } from '../accounts/plugins/report.ts';
import { type Disposable, Disposables } from '../base/disposables.ts';
import { createClusterAccess } from '../doctor/cluster-access.ts';
import { configRegistries } from '../doors/docker/config-registries.ts';
import type { UiDoor } from '../doors/ui/index.ts';
import { createDockerConfigs } from '../installed/docker/docker-configs.ts';
import { createDockerWatch } from '../installed/docker/docker-watch.ts';
import { packagedFolder } from '../installed/packaged.ts';
import { createInstallDeps } from '../installed/wiring.ts';
import { createCommandTools } from '../operations/command-tools.ts';
import { createInventoryFigures } from '../operations/inventories/inventory-figures.ts';
import { createProfileIndex } from '../operations/inventories/profile-index.ts';
import { createFetch } from '../platform/network/bounded-fetch.ts';
import type { RequestProxyControl } from '../proxy/request-proxy.ts';
import { askRegistry } from '../registries/ask-registry.ts';
import type { Areas } from './areas.ts';
import type { BrokerDeps } from './broker-deps.ts';
import { createConsent } from './consent.ts';
import { createCredentials } from './credentials.ts';
import { startInventories } from './inventory-sources.ts';
import { type Kubeconfigs, openKubeconfigs } from './kubeconfigs.ts';
import { listen } from './listen.ts';
import { createLocking } from './locking.ts';
import { openPages } from './pages.ts';
import { createRecords } from './records.ts';
import { createRequestProxy } from './request-proxy.ts';
import { createServed } from './served.ts';
import { startServing } from './start-serving.ts';

export interface Broker extends Disposable {
  /** What a window of the desktop app is connected to. */
  readonly ui: UiDoor;
}

/** The broker: wiring only. Listens when the promise resolves; disposing it ends all that it started. */
export async function createBroker(deps: BrokerDeps): Promise<Broker> {
  const disposables = new Disposables();
  const areas = await createAreas(deps, disposables);
  await startServing(areas, disposables);
  startInventories(areas, disposables);
  const pages = await openPages(areas, disposables);
  await listen(areas, pages, disposables);
  const repaired = areas.tools.repair();
  disposables.add({ dispose: () => repaired });
  return {
    ui: pages.ui,
    dispose: async () => {
      areas.credentials.logins.cancelAll('the agent stops');
      await disposables.dispose();
    },
  };
}

async function createAreas(deps: BrokerDeps, disposables: Disposables): Promise<Areas> {
  const { version, clock, log, vault, history, paths, environment } = deps;
  const served = createServed(deps);
  const { bindings, serving, programs } = served;
  const records = createRecords(
    deps,
    served,
    {
      expiries: () => readExpiries(status, clock),
      isLocked: () => locking.lock.gate() !== null,
      inventories: () => inventoryFigures.read(),
      requestProxy: async () => ({
        isRunning: requestProxy.running() !== null,
        open: await requestProxy.requests(null),
        listeners: requestProxy.listeners(),
        connections: requestProxy.connections(),
      }),
      heldOf: (account) => credentials.grants.cachedOrExpiredFor(account),
    },
    disposables,
  );
  const credentials = createCredentials(
    deps,
    served,
    records,
    {
      isOpen: () => locking.lock.gate() === null,
      gate: () => locking.gate(),
      onGone: (account) => consent.approvals.forgetAccount(account),
      ownWay: (cluster) => requestProxy.ownWay(cluster),
      onForgotten: () => requestProxy.forget(),
    },
    disposables,
  );
  const consent = await createConsent(deps, served, records, disposables);
  const locking = createLocking(
    deps,
    served,
    records,
    credentials,
    consent,
    { lock: (refusal) => requestProxy.lock(refusal) },
    disposables,
  );
  const requestProxy: RequestProxyControl = createRequestProxy(
    deps,
    records,
    credentials,
    locking,
    {
      onMoved() {
        kubeconfigs.managedContexts.rewrite();
        kubeconfigs.userContexts.follow();
      },
    },
    disposables,
  );
  const kubeconfigs: Kubeconfigs = await openKubeconfigs(
    deps,
    served,
    records,
    credentials,
    locking,
    requestProxy,
    disposables,
  );
  const { directory, grants, pluginMemory } = credentials;
  const { recorder, scraping } = records;
  const { lock, idleLock, gate } = locking;
  const { platform } = process;
  const profiles = disposables.add(
    createProfileIndex({
      ...deps.inventories,
      config: deps.config,
      bindings,
      gate: () => lock.gate(),
      log,
    }),
  );
  const inventoryFigures = createInventoryFigures({ ...deps.inventories, config: deps.config, profiles });
  const undone = async () => [...(await docker.undone()), ...kubeconfigs.kubeconfigWatch.undone()];
  const status = createStatusReader({
    version,
    pid: process.pid,
    home: paths.home,
    clock,
    lock,
    idleLock,
    config: serving,
    bindings,
    programs,
    peekAccount: (name) => directory.peekAccount(name),
    grants,
    history,
    scraping,
    requestProxy,
    imports: kubeconfigs.kubeconfigWatch,
    undone,
  });
  const plugins = createPluginReader({
    config: serving,
    history: history.reader,
    pluginMemory,
    programs,
    clock,
    gate,
    heldOf: (name) => grants.cachedFor(name),
  });
  const tools = createCommandTools({
    clock,
    log,
    recorder,
    environment,
    ...createInstallDeps({ ...deps, platform }),
    packaged: () => packagedFolder(deps.ownHelper),
  });
  const registries = configRegistries({
    directory,
    grants,
    recorder,
    clock,
    gate,
    approvals: consent.approvals,
  });
  const docker = createDockerConfigs({
    vault,
    recorder,
    ledger: deps.ledger,
    now: () => clock.now(),
    configured: (server) => registries.find(server, null)?.name ?? null,
    fallback: () => {
      const found = directory.fallbackHelper();
      return found && directory.account(found.account).ok ? found.helper : null;
    },
  });
  const clusters = createClusterAccess(grants, credentials.reach);
  return {
    deps,
    served,
    records,
    credentials,
    consent,
    locking,
    kubeconfigs,
    requestProxy,
    profiles,
    status,
    inventoryFigures,
    plugins,
    clusters,
    askRegistry: async (question, signal) => {
      const verdict = await askRegistry(question, { environment, createFetch }, signal);
      log.info('registry.test', { host: question.host, verdict: verdict.kind });
      return verdict;
    },
    tools,
    docker,
    dockerWatch: disposables.add(createDockerWatch({ vault, clock, log })),
    undone: async () => {
      await kubeconfigs.kubeconfigWatch.look();
      return undone();
    },
  };
}
