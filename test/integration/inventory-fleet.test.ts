import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { agree } from '../support/agree.ts';
import { profileObject } from '../support/inventory-hub.ts';
import { findKubectls } from '../support/kubectl.ts';
import { type KubernetesApi, startKubernetesApi } from '../support/kubernetes-api.ts';
import { credentialIn, mustBeGood, Stage, until } from '../support/stage.ts';

/**
 * One login for all clusters of an inventory, and for each a token that the others refuse: provider, broker, helper,
 * kubectl and API servers are real, and what a profile says of its audience counts for nothing.
 */
let stage: Stage;
const apis = new Map<string, KubernetesApi>();
const names = ['east', 'west'];
const audienceOf = (name: string) => `https://fleet.example.com/team/${name}`;
const { newest: kubectl } = findKubectls();

beforeAll(async () => {
  stage = await Stage.open({
    provider: { exchangeAudiences: names.map(audienceOf) },
    extend: async (config, { provider, home }) => {
      const { issuer, jwksUri, caPem } = provider;
      for (const name of names) {
        const audience = audienceOf(name);
        apis.set(name, await startKubernetesApi({ oidc: { issuer, jwksUri, caPem, audience } }));
      }
      const profiles = [...apis].map(([name, api]) =>
        profileObject('team', name, {
          status: {
            properties: [{ name: 'audience', value: 'https://evil.example.com' }],
            accessProviders: [
              {
                name: 'corp-sso',
                cluster: {
                  server: api.server,
                  'certificate-authority-data': Buffer.from(api.caPem).toString('base64'),
                  extensions: [
                    {
                      name: 'client.authentication.k8s.io/exec',
                      extension: { audience: 'https://evil.example.com' },
                    },
                  ],
                },
              },
            ],
          },
        }),
      );
      config.inventories = {
        fleet: {
          files: [home.write('fleet.yaml', profiles.map((each) => stringify(each)).join('---\n'))],
          servers: ['127.0.0.1'],
          providers: [
            {
              name: 'corp-sso',
              account: 'corp',
              audience: 'https://{inventory}.example.com/{namespace}/{name}',
            },
          ],
        },
      };
    },
  });
});
afterAll(async () => {
  await stage?.dispose();
  for (const api of apis.values()) {
    await api.dispose();
  }
});

test('one login, and each cluster gets a token of its own, exchanged once', async () => {
  await until(async () => {
    const { stdout } = await stage.lanyard(['inventory', 'list', '--json']);
    return stdout.includes('"west"') ? true : null;
  }, 'the profiles');
  const used = await agree(stage.onTerminal(['inventory', 'use', ...names]));
  expect(used.code, used.shown).toBe(0);
  expect(used.shown).toContain(`audience: ${audienceOf('east')}`);
  await stage.logIn();
  const tokens: string[] = [];
  for (const name of [...names, ...names]) {
    const pods = ['--context', name, 'get', 'pods', '-o', 'name'];
    mustBeGood(await stage.kubectl(kubectl, stage.home.file('kubeconfig'), pods));
  }
  for (const [name, api] of apis) {
    const cluster = {
      server: api.server,
      'certificate-authority-data': Buffer.from(api.caPem).toString('base64'),
    };
    const answer = await stage.ask('corp', stage.execInfo({ cluster }), { args: ['--cluster', name] });
    tokens.push(credentialIn(answer).token ?? '');
  }
  expect(tokens.map((token) => decodeJwt(token).aud)).toEqual(names.map(audienceOf));
  expect(stage.provider.tokenExchange?.records).toHaveLength(2);
});

test('a logout ends all of them', async () => {
  mustBeGood(await stage.lanyard(['logout', 'corp']));
  for (const name of names) {
    const done = await stage.kubectl(kubectl, stage.home.file('kubeconfig'), [
      '--context',
      name,
      'get',
      'pods',
    ]);
    expect(done.code).toBe(1);
    expect(done.stderr).toContain('corp');
  }
});
