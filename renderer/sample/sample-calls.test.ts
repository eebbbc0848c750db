import { describe, expect, it } from 'vitest';
import { type CallInput, type CallName, uiCalls } from '../../main/contract/ui/calls/index.ts';
import { createContractClient } from '../api/contract-client.ts';
import { createBrokerStore } from '../stores/broker-store.ts';
import { createSampleCarrier } from './index.ts';
import { testTime } from './testing/test-time.ts';

const now = Date.UTC(2026, 4, 4, 13, 56);
const day = 86_400_000;
const window = { since: now - day, until: now };
const draft: CallInput<'account.save'> = {
  name: 'fresh',
  isNew: true,
  kind: 'oidc',
  set: { issuer: 'https://id.example', clientId: 'kubernetes' },
  unset: [],
};
const profile = { inventory: 'fleet', namespace: 'team-data', name: 'warehouse' };
const entry = { server: 'https://10.1.1.1:6443', account: 'corp', approval: '1h' };

/** The input of each call, as a page makes it. */
const inputs: { readonly [Name in CallName]: CallInput<Name> } = {
  'lock.close': {},
  'lock.open': {},
  'account.login': { account: 'corp-staging', flow: null },
  'account.logout': { account: 'corp', everywhere: false },
  'account.show': { account: 'corp' },
  'account.check': draft,
  'account.test': draft,
  'account.save': draft,
  'account.removal': { account: 'corp' },
  'account.remove': { account: 'fresh' },
  'account.restorable': {},
  'account.restore': { account: 'fresh' },
  'activity.query': { filter: { since: now - 7 * day }, limit: 50 },
  'activity.follow': { filter: { since: now } },
  'activity.export': { filter: { since: now - day } },
  'cluster.renew': { cluster: 'prod-eu' },
  'cluster.favorite': { cluster: 'prod-eu', favorite: true },
  'cluster.kubectlLine': { cluster: 'prod-eu' },
  'cluster.openTerminal': { cluster: 'prod-eu' },
  'cluster.test': { entry },
  'proxy.cluster': { cluster: 'vendor' },
  'proxy.end': { cluster: 'vendor', id: 12 },
  'proxy.try': { cluster: 'vendor', path: '/version' },
  'cluster.lane': { cluster: 'prod-eu', ...window, most: 200 },
  lanes: { clusters: ['prod-eu', 'lab-gpu', 'none'], ...window, most: 60 },
  'cluster.calls': { cluster: 'prod-eu', ...window, steps: 24 },
  'cluster.askers': { cluster: 'prod-eu', ...window, most: 20 },
  'metrics.objectives': {},
  'metrics.overTime': { plugin: null, cluster: null, ...window, steps: 24 },
  'metrics.text': {},
  'question.answer': { id: 'asked', answer: 'once' },
  'cluster.credential': { cluster: 'prod-eu' },
  'cluster.whoAmI': { cluster: 'prod-eu' },
  'cluster.lastCalls': { cluster: 'prod-eu', most: 10 },
  'entry.config': { kind: 'cluster', name: 'prod-eu' },
  'entry.check': { kind: 'cluster', name: 'fresh', isNew: true, entry },
  'entry.set': { kind: 'cluster', name: 'fresh', isNew: true, entry },
  'entry.setApproval': { kind: 'cluster', names: ['prod-eu'], approval: 'always' },
  'entry.remove': { kind: 'cluster', names: ['fresh'] },
  'entry.putBack': { kind: 'cluster', undo: 'fresh' },
  'registry.why': { image: 'ghcr.io/corp/app:1.2' },
  'registry.test': { registry: 'ghcr', image: null },
  'registry.lastCalls': { registry: 'ghcr', most: 10 },
  'inventory.profiles': { search: 'prod', filters: {}, group: 'clusterset', offset: 0, most: 50 },
  'inventory.matching': { search: '', filters: { clusterset: ['staging'] } },
  'inventory.profile': { profile },
  'inventory.problems': { inventory: 'partners' },
  'inventory.sync': { inventory: 'fleet' },
  'inventory.use': { profiles: [profile] },
  'inventory.drop': { profiles: [profile] },
  'providers.found': {},
  'providers.plan': { path: '/etc/kubernetes/credential-provider.yaml', binFolder: '/usr/local/bin' },
  'providers.import': { id: 'providers-1' },
  'providers.undo': { undo: 'providers-1' },
  'docker.plan': {},
  'docker.install': {},
  'docker.undo': { undo: 'docker-1' },
  'confirm.list': {},
  'window.open': { what: 'confirm' },
  'import.found': { files: [] },
  'import.plan': { files: [], pasted: null, contexts: null, inPlace: true, offlineAccess: false },
  'import.paste': {},
  'import.diff': { id: 'plan-1', file: '/home/dev/.kube/config' },
  'import.apply': { id: 'plan-1', agreed: [] },
  'import.takeBack': { accounts: [], clusters: ['analytics-eu'] },
  'import.stands': { file: '/home/dev/.kube/config' },
  'import.dismiss': { file: '/home/dev/.kube/config' },
  'import.undoList': {},
  'import.undoDiff': { file: '/home/dev/.kube/config' },
  'import.undo': { file: '/home/dev/.kube/config' },
  'settings.read': {},
  'settings.set': { name: 'history', value: { keep: '30d' } },
  'settings.dismissWarning': { message: 'accounts.a: odd', dismissed: true },
  'doctor.run': {},
  'bundle.make': { names: true },
  'tools.install': {},
  'tools.remove': {},
  'context.use': { context: 'prod-eu' },
  'desktop.setStartAtLogin': { on: true },
  'desktop.pauseNotifications': { minutes: 60 },
  'desktop.checkForUpdate': {},
  'desktop.fetchUpdate': {},
  'desktop.installUpdate': {},
  'desktop.chooseFiles': {},
};

/** The call that must come first, so that there is something to answer with. */
const before: { readonly [Name in CallName]?: CallName } = {
  'account.remove': 'account.save',
  'account.restore': 'account.remove',
  'entry.remove': 'entry.set',
  'entry.putBack': 'entry.remove',
  'import.diff': 'import.plan',
  'import.apply': 'import.plan',
};

function open() {
  const { time, pass } = testTime(now);
  const client = createContractClient(createSampleCarrier('usual', time), '0.1.0');
  const store = createBrokerStore(client);
  // Long enough for calls that wait for the user, such as a login.
  async function answer<Name extends CallName>(name: Name, onProgress: (value: unknown) => void = () => {}) {
    const leaving = new AbortController();
    const done = client
      .call(name, inputs[name], { signal: leaving.signal, onProgress })
      .catch((error: unknown) => (leaving.signal.aborted ? 'left' : Promise.reject(error)));
    const settled = done.catch(() => undefined);
    await pass(2000);
    if (name === 'import.apply') {
      void client.call('window.open', { what: 'confirm' });
    }
    await pass(20_000);
    if (name === 'activity.follow') {
      leaving.abort(new Error('left'));
    }
    await settled;
    return done;
  }
  return { client, answer, pass, state: () => store.getState().sections };
}

describe('the demo', () => {
  it.each(Object.keys(uiCalls) as CallName[])('answers %s as the contract has it', async (name) => {
    const { answer, pass, state } = open();
    expect(uiCalls[name].input.safeParse(inputs[name]).success).toBe(true);
    const first: CallName[] = [];
    for (let needed = before[name]; needed !== undefined; needed = before[needed]) {
      first.unshift(needed);
    }
    for (const each of first) {
      await answer(each);
    }
    if (name === 'question.answer') {
      await pass(30_000);
      Object.assign(inputs['question.answer'], { id: Object.keys(state().questions)[0] });
    }
    const spec: (typeof uiCalls)[CallName] = uiCalls[name];
    const progress: unknown[] = [];
    // The contract's schema must accept it: the client would drop it silently.
    const output = await answer(name, (value) => progress.push(value));
    expect(output).toBeDefined();
    if ('progress' in spec) {
      expect(progress.length).toBeGreaterThan(0);
    }
  });

  it('keeps what a page changes pending, and approves it as a window would', async () => {
    const { answer, state } = open();
    await answer('entry.set');
    await answer('account.save');
    await answer('settings.set');
    expect(state().clusters['fresh']?.state).toBe('held');
    expect(Object.keys(state().held)).toHaveLength(3);
    expect(await answer('confirm.list')).toMatchObject({
      changes: [{ lines: expect.arrayContaining(['+ approval: 1h']) }, {}, { lines: ['+ keep: 30d'] }],
    });
    await answer('window.open');
    expect(Object.keys(state().held)).toHaveLength(0);
    expect(state().clusters['fresh']?.state).toBe('ready');
    expect(state().accounts['fresh']?.state).toBe('loginNeeded');
  });

  it('has one past: the same at each call', async () => {
    const { answer } = open();
    const [first, second] = [await answer('cluster.lane'), await answer('cluster.lane')];
    const times = (lane: unknown) =>
      (lane as { segments: { from: number; current: boolean }[] }).segments
        .filter(({ current }) => !current)
        .map(({ from }) => from);
    expect(times(first).length).toBeGreaterThan(10);
    expect(times(second)).toEqual(times(first));
  });
});
