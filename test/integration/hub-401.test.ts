import { afterAll, beforeAll, expect, test } from 'vitest';
import { InventoryHub, profileObject } from '../support/inventory-hub.ts';
import { type KubernetesApi, startKubernetesApi } from '../support/kubernetes-api.ts';
import { credentialIn, mustBeGood, Stage, until } from '../support/stage.ts';

/** A hub that rejects its credential, which then is renewed (rule: inferred-401). */
let stage: Stage;
let hubApi: KubernetesApi;
const hub = new InventoryHub();

beforeAll(async () => {
  stage = await Stage.open({
    extend: async (config, { home, provider }) => {
      hubApi = await startKubernetesApi({
        oidc: {
          issuer: provider.issuer,
          jwksUri: provider.jwksUri,
          audience: provider.clientId,
          caPem: provider.caPem,
        },
        more: hub,
      });
      config.clusters['hub'] = {
        server: hubApi.server,
        certificateAuthority: home.write('hub-ca.pem', hubApi.caPem),
        account: 'corp',
      };
      config.inventories = { fleet: { cluster: 'hub', providers: [{ name: 'people', account: 'corp' }] } };
    },
  });
  hub.put(profileObject('team', 'eu'));
  await stage.logIn('corp');
  await until(async () => (await list()).includes('live') || null, 'the hub’s list');
});
afterAll(async () => {
  await stage?.dispose();
  await hubApi?.dispose();
});

const list = async () => (await stage.lanyard(['inventory', 'list'])).stderr;
const refreshes = () => stage.provider.counts.tokenRequests.refresh_token;

test('a token that the hub rejects is renewed at once, and the list goes on with the new one', async () => {
  const { token = '' } = credentialIn(await stage.ask('corp'));
  const before = refreshes();
  hubApi.rejectTokens(token);
  mustBeGood(await stage.lanyard(['inventory', 'sync', 'fleet']));
  expect(refreshes()).toBe(before + 1);
  expect(credentialIn(await stage.ask('corp')).token).not.toBe(token);
});

test('a hub that rejects whatever it gets causes no storm, and is shown as rejecting', async () => {
  const before = refreshes();
  hubApi.rejectAll(true);
  for (let round = 0; round < 5; round++) {
    const synced = await stage.lanyard(['inventory', 'sync', 'fleet']);
    expect(synced).toMatchObject({ code: 16, stderr: expect.stringContaining('401') });
  }
  expect(refreshes() - before).toBeLessThanOrEqual(1);
  const { clusters } = await stage.status();
  expect(clusters.find(({ name }: { name: string }) => name === 'hub')).toMatchObject({ state: 'rejecting' });
  hubApi.acceptAll();
  mustBeGood(await stage.lanyard(['inventory', 'sync', 'fleet']));
});
