import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findKubectls, type Kubectl } from '../support/kubectl.ts';
import { mustBeGood, Stage } from '../support/stage.ts';
import { startFront, type ZeroTrustFront } from '../support/zero-trust-front.ts';

/** Clusters behind the request proxy, from config.yaml to kubectl, with the whole broker (docs/adr/0030). */
let stage: Stage;
let front: ZeroTrustFront;
let kubectl: Kubectl;
let kubeconfig: string;

beforeAll(async () => {
  stage = await Stage.open({
    extend: async (config, { api, home }) => {
      front = await startFront({
        server: api.server,
        caPem: api.caPem,
        demands: { 'cf-access-client-id': 'id.access', 'cf-access-client-secret': 'pair-secret' },
      });
      config.accounts['pair'] = { staticToken: {} };
      const chain = [
        { set: 'CF-Access-Client-Id', value: 'id.access' },
        { set: 'CF-Access-Client-Secret', account: 'pair' },
      ];
      const certificateAuthority = home.write('front-ca.pem', front.caPem);
      for (const account of ['corp', 'bot']) {
        config.clusters[`fronted-${account}`] = {
          server: front.server,
          certificateAuthority,
          account,
          proxy: { chain },
        };
      }
      config.clusters['carded'] = {
        server: api.server,
        certificateAuthority: home.write('api-ca.pem', api.caPem),
        account: 'ops',
        proxy: {},
      };
    },
  });
  await stage.setSecrets();
  mustBeGood(await stage.lanyard(['secret', 'set', 'pair'], { input: 'pair-secret' }));
  kubectl = findKubectls().newest;
  kubeconfig = await stage.writeKubeconfig();
});
afterAll(async () => {
  await stage?.dispose();
  await front?.dispose();
});

const get = (context: string, ...more: string[]) =>
  stage.kubectl(kubectl, kubeconfig, ['--context', context, 'get', 'pods', ...more]);

// KEP-2718/kubeconfig-alone, KEP-2718/first-use, KEP-2718/request-change
test('kubectl gets through a zero-trust front with the header pair and the cluster’s own token', async () => {
  const done = await get('fronted-bot');
  mustBeGood(done);
  expect(front.seen.at(-1)?.headers.authorization).toBe(`Bearer ${stage.botToken}`);
  const { clusters } = parse(readFileSync(kubeconfig, 'utf8'));
  const { cluster } = clusters.find(({ name }: { name: string }) => name === 'fronted-bot');
  expect(cluster.server).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/c\/fronted-bot$/);
});

test('a client certificate of the vault is for the proxy’s connection', async () => {
  mustBeGood(await get('carded'));
  expect(stage.api.requests.at(-1)).toMatchObject({ user: 'olga', via: 'certificate' });
});
