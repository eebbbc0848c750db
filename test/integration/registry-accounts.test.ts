import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtHelper } from '../support/home.ts';
import { run } from '../support/processes.ts';
import { mustBeGood, Stage } from '../support/stage.ts';

/** Accounts that clusters have, too, as a registry takes them: their token is the password. */
let stage: Stage;
let folder: string;
const audience = 'https://registry.example.com';
const apiVersion = 'client.authentication.k8s.io/v1';

beforeAll(async () => {
  stage = await Stage.open({
    provider: { accessToken: 'jwt', exchangeAudiences: [audience] },
    extend: (config, { provider, home }) => {
      const { issuer, caPem } = provider;
      const status = { token: 'of-the-plugin', expirationTimestamp: '2099-01-01T00:00:00Z' };
      const answer = JSON.stringify({ apiVersion, kind: 'ExecCredential', status });
      const command = home.write(
        'plugin',
        `#!/bin/sh\necho run >> ${home.outside}/runs\ncat <<'END'\n${answer}\nEND\n`,
      );
      chmodSync(command, 0o755);
      Object.assign(config.accounts, {
        plugin: { execPlugin: { apiVersion, command, interactiveMode: 'Never' } },
        robot: {
          oidc: {
            issuer,
            clientId: provider.confidentialClient.id,
            flow: 'clientCredentials',
            token: 'access',
            certificateAuthority: home.write('provider-ca.pem', caPem ?? ''),
          },
        },
      });
      config.registries = {
        login: { matchImages: ['login.example.com'], account: 'corp', userName: 'oidc' },
        exchanged: { matchImages: ['exchanged.example.com'], account: 'corp', userName: 'oidc', audience },
        robot: { matchImages: ['robot.example.com'], account: 'robot', userName: 'oauth2accesstoken' },
        plugin: { matchImages: ['plugin.example.com'], account: 'plugin', userName: 'oauth2accesstoken' },
        identity: { matchImages: ['identity.example.com'], account: 'plugin' },
      };
    },
  });
  folder = join(stage.home.outside, 'bin');
  mkdirSync(folder);
  symlinkSync(builtHelper, join(folder, 'docker-credential-lanyard'));
  const { secret } = stage.provider.confidentialClient;
  mustBeGood(await stage.lanyard(['secret', 'set', 'robot/clientSecret'], { input: secret }));
});
afterAll(() => stage?.dispose());

const docker = (server: string) =>
  run(join(folder, 'docker-credential-lanyard'), ['get'], { env: stage.home.env, input: server });

const kubelet = (image: string) =>
  run(join(stage.home.path, 'bin/lanyard-credential-provider'), [], {
    env: stage.home.env,
    input: JSON.stringify({
      kind: 'CredentialProviderRequest',
      apiVersion: 'credentialprovider.kubelet.k8s.io/v1',
      image,
    }),
  });

async function loginOf(host: string) {
  const ended = await docker(host);
  mustBeGood(ended);
  return JSON.parse(ended.stdout);
}

test('a login: docker is told to log in, and then gets the token', async () => {
  const before = await docker('login.example.com');
  expect(before).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^lanyard: .*lanyard login corp.*\n$/),
  });
  expect((await kubelet('login.example.com/app')).code).not.toBe(0);
  await stage.logIn();
  const { Username, Secret } = await loginOf('login.example.com');
  expect([Username, decodeJwt(Secret).iss]).toEqual(['oidc', stage.provider.issuer]);
  const { stdout } = await kubelet('login.example.com/app');
  expect(JSON.parse(stdout).auth).toEqual({ 'login.example.com': { username: 'oidc', password: Secret } });
});

test('a registry with its own audience gets a token that is exchanged for it', async () => {
  const { Secret } = await loginOf('exchanged.example.com');
  expect([decodeJwt(Secret).aud].flat()).toEqual([audience]);
});

test('a program’s own account, without a login', async () => {
  const { Username, Secret } = await loginOf('robot.example.com');
  expect([Username, decodeJwt(Secret).client_id]).toEqual([
    'oauth2accesstoken',
    stage.provider.confidentialClient.id,
  ]);
});

test('an exec plugin, which runs once; without a user name its token is an identity token', async () => {
  const own = { Username: 'oauth2accesstoken', Secret: 'of-the-plugin' };
  expect(await loginOf('plugin.example.com')).toMatchObject(own);
  expect(JSON.parse((await kubelet('plugin.example.com/app')).stdout).auth).toEqual({
    'plugin.example.com': { username: own.Username, password: own.Secret },
  });
  expect(await loginOf('identity.example.com')).toMatchObject({ ...own, Username: '<token>' });
  expect(await kubelet('identity.example.com/app')).toMatchObject({
    stdout: '',
    stderr: expect.stringMatching(/identity token.*\n.*set userName for the registry identity/),
  });
  const runs = await run('cat', [join(stage.home.outside, 'runs')]);
  expect(runs.stdout).toBe('run\n');
});
