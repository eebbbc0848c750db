import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { InventoryHub, profileObject } from '../support/inventory-hub.ts';
import { findKubectls } from '../support/kubectl.ts';
import { type KubernetesApi, startKubernetesApi } from '../support/kubernetes-api.ts';
import { credentialIn, mustBeGood, Stage, stagePassphrase, until } from '../support/stage.ts';
import { unlock } from '../support/unlock.ts';

/**
 * With real parts (rule: inferred-401): kubectl runs the helper again after a 401 and doesn't say why, and a hub rejects
 * the credential with which it is listed.
 */
let stage: Stage;
let hubApi: KubernetesApi;
const hub = new InventoryHub();
let kubeconfig: string;
const { newest, oldest } = findKubectls();

beforeAll(async () => {
  stage = await Stage.open({
    extend: async (config, { home, provider }) => {
      const { issuer, jwksUri, clientId: audience, caPem } = provider;
      hubApi = await startKubernetesApi({ oidc: { issuer, jwksUri, audience, caPem }, more: hub });
      const certificateAuthority = home.write('hub-ca.pem', hubApi.caPem);
      config.clusters['proxied'] = { ...config.clusters['prod'], proxy: {} };
      config.clusters['robot'] = { ...config.clusters['prod'], account: 'bot' };
      config.clusters['hub'] = { server: hubApi.server, certificateAuthority, account: 'corp' };
      config.inventories = { fleet: { cluster: 'hub', providers: [{ name: 'people', account: 'corp' }] } };
    },
  });
  hub.put(profileObject('team', 'eu'));
  await stage.setSecrets();
  kubeconfig = await stage.writeKubeconfig('v1beta1');
});
afterAll(async () => {
  await stage?.dispose();
  await hubApi?.dispose();
});

beforeEach(async () => {
  stage.api.acceptAll();
  stage.api.forgetRequests();
  await stage.lanyard(['logout', 'corp']);
  await stage.logIn('corp');
});

function refreshes(): number {
  return stage.provider.counts.tokenRequests.refresh_token;
}

async function stateOf(cluster: string): Promise<string> {
  const { clusters } = await stage.status();
  return clusters.find(({ name }: { name: string }) => name === cluster).state;
}

/** A client that lives long and asks again and again with the same words, as a Python client does per config load. */
function longLived(times: number, pauseMilliseconds: number) {
  const script = `
    const { execFileSync } = require('node:child_process');
    for (let i = 0; i < ${times}; i++) {
      const out = execFileSync(process.argv[1], ['kube-credential', '--account', 'corp', '--cluster', 'prod']);
      process.stdout.write(JSON.parse(out).status.token + '\\n');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${pauseMilliseconds});
    }`;
  return stage.start(process.execPath, ['-e', script, stage.home.file('helper')], {
    env: { ...stage.home.env, KUBERNETES_EXEC_INFO: JSON.stringify(stage.execInfo()) },
    timeoutMilliseconds: 60_000,
  });
}

test.each([...new Set([newest, oldest])].map((kubectl) => [kubectl.version, kubectl] as const))(
  'KEP-541/renewal-after-401: after a 401 kubectl %s gets a renewed credential, whatever its expirationTimestamp',
  async (_, kubectl) => {
    mustBeGood(await stage.kubectl(kubectl, kubeconfig, ['--context', 'prod', 'get', 'pods']));
    const { token, expirationTimestamp } = credentialIn(await stage.ask('corp'));
    expect(Date.parse(expirationTimestamp ?? '')).toBeGreaterThan(Date.now() + 300_000);
    const before = refreshes();
    stage.api.rejectTokens(token ?? '');
    // What kubectl asked before it knew still fails; what it asks next doesn't.
    await stage.kubectl(kubectl, kubeconfig, ['--context', 'prod', 'get', 'pods']);
    const next = await stage.kubectl(kubectl, kubeconfig, ['--context', 'prod', 'get', 'pods']);
    expect(next).toMatchObject({ code: 0, stdout: expect.stringContaining('NAME') });
    expect(refreshes()).toBe(before + 1);
    expect(credentialIn(await stage.ask('corp')).token).not.toBe(token);
  },
);

test('a 401 on one path alone is enough for kubectl, whatever the cluster says of the token elsewhere', async () => {
  const get = () => stage.kubectl(newest, kubeconfig, ['--context', 'prod', 'get', 'pods']);
  mustBeGood(await get());
  const before = refreshes();
  stage.api.rejectTokensOn(/pods/, credentialIn(await stage.ask('corp')).token ?? '');
  await get();
  mustBeGood(await get());
  expect(refreshes()).toBe(before + 1);
  // Such a path that rejects what is fresh as well causes no storm.
  for (let calls = 0; calls < 5; calls++) {
    stage.api.rejectTokensOn(/pods/, credentialIn(await stage.ask('corp')).token ?? '');
    expect(await get()).toMatchObject({ code: 1 });
  }
  expect(refreshes()).toBe(before + 1);
});

test('a 401 that takes longer than Lanyard waits for an answer is believed to kubectl, and ends as soon as one succeeds', async () => {
  const get = () => stage.kubectl(newest, kubeconfig, ['--context', 'prod', 'get', 'pods']);
  mustBeGood(await get());
  const before = refreshes();
  stage.api.rejectAll(true);
  // As a webhook that fails: main/grants/rejections.ts waits for 3 s.
  stage.api.delayAnswers(4_000);
  try {
    expect(await get()).toMatchObject({ code: 1 });
    expect(refreshes()).toBe(before + 1);
    expect(await stateOf('prod')).toBe('ready');
    expect(await get()).toMatchObject({ code: 1 });
    expect(await stateOf('prod')).toBe('rejecting');
    expect(refreshes()).toBe(before + 1);
  } finally {
    stage.api.delayAnswers(0);
  }
  stage.api.acceptAll();
  mustBeGood(await get());
  await until(async () => ((await stateOf('prod')) === 'ready' ? true : null), 'ready');
});

describe.each([
  ['prod', 'that kubectl reaches itself'],
  ['proxied', 'behind the request proxy'],
])('a cluster that rejects tokens for a while: %s, %s', (cluster) => {
  const get = () => stage.kubectl(newest, kubeconfig, ['--context', cluster, 'get', 'pods']);
  const becomes = (state: string) =>
    until(async () => ((await stateOf(cluster)) === state ? true : null), state);

  beforeEach(async () => {
    stage.api.rejectAll(true);
    expect(await get()).toMatchObject({ code: 1 });
    await becomes('rejecting');
  });

  test('is ready once doctor sees that it takes the token, and rejecting where doctor sees a 401', async () => {
    stage.api.acceptAll();
    const good = await stage.lanyard(['doctor']);
    expect(good.stdout).toContain('it sees you as alice');
    expect(await stateOf(cluster)).toBe('ready');
    stage.api.rejectAll(true);
    await stage.lanyard(['doctor']);
    expect(await stateOf(cluster)).toBe('rejecting');
  });

  test('is ready once kubectl succeeds, and rejecting again at a 401 soon after', async () => {
    stage.api.acceptAll();
    mustBeGood(await get());
    await becomes('ready');
    stage.api.rejectAll(true);
    // Not one in the same seconds as the success.
    await until(
      async () => ((await get()).code === 1 && (await stateOf(cluster)) === 'rejecting' ? true : null),
      'rejecting',
    );
  });

  test('stays rejecting over a lock and a restart, and then is ready as soon as kubectl succeeds', async () => {
    mustBeGood(await stage.lanyard(['lock']));
    await unlock(stage.home, stagePassphrase);
    expect(await stateOf(cluster)).toBe('rejecting');
    await stage.startAgent();
    await becomes('rejecting');
    stage.api.acceptAll();
    mustBeGood(await get());
    await becomes('ready');
  });
});

test('a new secret ends what was seen with the old one', async () => {
  stage.api.rejectAll(true);
  const get = ['--context', 'robot', 'get', 'pods'];
  expect(await stage.kubectl(newest, kubeconfig, get)).toMatchObject({ code: 1 });
  await until(async () => ((await stateOf('robot')) === 'rejecting' ? true : null), 'rejecting');
  mustBeGood(await stage.lanyard(['secret', 'set', 'bot'], { input: 'a-new-one' }));
  expect(await stateOf('robot')).toBe('ready');
  await stage.setSecrets();
});

test('a cluster that rejects what is fresh is shown, and causes no storm', async () => {
  const before = refreshes();
  stage.api.rejectAll(true);
  const ended = await longLived(30, 50).ended;
  mustBeGood(ended);
  expect(refreshes()).toBe(before + 1);
  const { clusters } = await stage.status();
  expect(clusters.find(({ name }: { name: string }) => name === 'prod')).toMatchObject({
    state: 'rejecting',
    problem: expect.stringMatching(/^it rejects credentials with 401 since \S/),
  });
  expect((await stage.lanyard(['status'])).stdout).toContain('prod: it rejects credentials with 401');
});

describe('a hub', () => {
  beforeEach(async () => {
    hubApi.acceptAll();
    await until(
      async () => (await stage.lanyard(['inventory', 'list'])).stderr.includes('live') || null,
      'the hub’s list',
    );
  });

  test('that rejects a token has it renewed at once, and the list goes on with the new one', async () => {
    const { token = '' } = credentialIn(await stage.ask('corp'));
    const before = refreshes();
    hubApi.rejectTokens(token);
    mustBeGood(await stage.lanyard(['inventory', 'sync', 'fleet']));
    expect(refreshes()).toBe(before + 1);
    expect(credentialIn(await stage.ask('corp')).token).not.toBe(token);
  });

  test('that rejects whatever it gets causes no storm, and is shown as rejecting', async () => {
    const before = refreshes();
    hubApi.rejectAll(true);
    for (let round = 0; round < 5; round++) {
      const synced = await stage.lanyard(['inventory', 'sync', 'fleet']);
      expect(synced).toMatchObject({ code: 16, stderr: expect.stringContaining('401') });
    }
    expect(refreshes() - before).toBeLessThanOrEqual(1);
    expect(await stateOf('hub')).toBe('rejecting');
    hubApi.acceptAll();
    mustBeGood(await stage.lanyard(['inventory', 'sync', 'fleet']));
  });
});
