import type { CallSpec } from '../../main/contract/ui/call.ts';
import type { CallName } from '../../main/contract/ui/calls/index.ts';

const accounts = async () => (await import('../../main/contract/ui/calls/accounts.ts')).accountCalls;
const activity = async () => (await import('../../main/contract/ui/calls/activity.ts')).activityCalls;
const approvals = async () => (await import('../../main/contract/ui/calls/approvals.ts')).approvalCalls;
const clusterDetail = async () =>
  (await import('../../main/contract/ui/calls/cluster-detail.ts')).clusterDetailCalls;
const clusters = async () => (await import('../../main/contract/ui/calls/clusters.ts')).clusterCalls;
const confirming = async () => (await import('../../main/contract/ui/calls/confirming.ts')).confirmingCalls;
const contexts = async () => (await import('../../main/contract/ui/calls/contexts.ts')).contextCalls;
const desktop = async () => (await import('../../main/contract/ui/calls/desktop.ts')).desktopCalls;
const docker = async () => (await import('../../main/contract/ui/calls/docker.ts')).dockerCalls;
const entries = async () => (await import('../../main/contract/ui/calls/entries.ts')).entryCalls;
const history = async () => (await import('../../main/contract/ui/calls/history.ts')).historyCalls;
const imports = async () => (await import('../../main/contract/ui/calls/import.ts')).importCalls;
const inventories = async () => (await import('../../main/contract/ui/calls/inventories.ts')).inventoryCalls;
const lock = async () => (await import('../../main/contract/ui/calls/lock.ts')).lockCalls;
const logins = async () => (await import('../../main/contract/ui/calls/logins.ts')).loginCalls;
const metrics = async () => (await import('../../main/contract/ui/calls/metrics.ts')).metricsCalls;
const providers = async () => (await import('../../main/contract/ui/calls/providers.ts')).providerCalls;
const registries = async () => (await import('../../main/contract/ui/calls/registries.ts')).registryCalls;
const requestProxy = async () =>
  (await import('../../main/contract/ui/calls/request-proxy.ts')).requestProxyCalls;
const settings = async () => (await import('../../main/contract/ui/calls/settings.ts')).settingsCalls;
const tools = async () => (await import('../../main/contract/ui/calls/tools.ts')).toolsCalls;

/** The file with each call of the contract. The types check that none is missing, and that it is in that file. */
const areas: { readonly [Name in CallName]: () => Promise<Readonly<Record<Name, CallSpec>>> } = {
  'account.show': accounts,
  'account.check': accounts,
  'account.test': accounts,
  'account.save': accounts,
  'account.removal': accounts,
  'account.remove': accounts,
  'account.restorable': accounts,
  'account.restore': accounts,
  'activity.query': activity,
  'activity.follow': activity,
  'activity.export': activity,
  'question.answer': approvals,
  'cluster.credential': clusterDetail,
  'cluster.whoAmI': clusterDetail,
  'cluster.lastCalls': clusterDetail,
  'entry.config': entries,
  'entry.check': entries,
  'entry.set': entries,
  'entry.setApproval': entries,
  'entry.remove': entries,
  'entry.putBack': entries,
  'cluster.renew': clusters,
  'cluster.favorite': clusters,
  'cluster.kubectlLine': clusters,
  'cluster.openTerminal': clusters,
  'cluster.test': clusters,
  'proxy.cluster': requestProxy,
  'proxy.end': requestProxy,
  'proxy.try': requestProxy,
  'inventory.profiles': inventories,
  'inventory.matching': inventories,
  'inventory.profile': inventories,
  'inventory.problems': inventories,
  'inventory.sync': inventories,
  'inventory.use': inventories,
  'inventory.drop': inventories,
  'confirm.list': confirming,
  'window.open': confirming,
  'context.use': contexts,
  'tools.install': tools,
  'tools.remove': tools,
  'desktop.setStartAtLogin': desktop,
  'desktop.pauseNotifications': desktop,
  'desktop.checkForUpdate': desktop,
  'desktop.fetchUpdate': desktop,
  'desktop.installUpdate': desktop,
  'desktop.chooseFiles': desktop,
  lanes: history,
  'cluster.lane': history,
  'cluster.calls': history,
  'cluster.askers': history,
  'import.found': imports,
  'import.plan': imports,
  'import.paste': imports,
  'import.diff': imports,
  'import.apply': imports,
  'import.takeBack': imports,
  'import.stands': imports,
  'import.dismiss': imports,
  'import.undoList': imports,
  'import.undoDiff': imports,
  'import.undo': imports,
  'lock.close': lock,
  'lock.open': lock,
  'account.login': logins,
  'account.logout': logins,
  'metrics.objectives': metrics,
  'metrics.overTime': metrics,
  'metrics.text': metrics,
  'docker.plan': docker,
  'docker.install': docker,
  'docker.undo': docker,
  'providers.found': providers,
  'providers.plan': providers,
  'providers.import': providers,
  'providers.undo': providers,
  'registry.why': registries,
  'registry.test': registries,
  'registry.lastCalls': registries,
  'settings.read': settings,
  'settings.set': settings,
  'settings.dismissWarning': settings,
  'doctor.run': settings,
  'bundle.make': settings,
};

/** The schemas of one call. Loads those of its area with the first call, so that the first view loads few. */
export async function callSpecOf<Name extends CallName>(name: Name): Promise<CallSpec> {
  return (await areas[name]())[name];
}
