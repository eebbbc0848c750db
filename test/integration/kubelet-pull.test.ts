import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { decodeJwt, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { buildGo, findGo } from '../support/go.ts';
import { makeHome, type TestHome } from '../support/home.ts';
import { whyNotLong } from '../support/long.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../support/openid-provider.ts';
import { mustBeGood } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

const go = findGo();
const why = go.ok ? whyNotLong : go.why;

/** The kubelet’s own code reads what `lanyard image config` prints, and runs the provider in the home’s `bin`. */
describe('a kubelet', unless(why), () => {
  let home: TestHome;
  let agent: TestAgent;
  let program: string;
  let config: string;
  let provider: OpenIdProvider;

  beforeAll(async () => {
    const module = join(import.meta.dirname, '..', 'support', 'kubelet');
    program = await buildGo(go.ok ? go.path : '', 'pull', { module });
    provider = await startOpenIdProvider({ accessToken: 'jwt', exchangeAudiences: ['pods'] });
    home = makeHome();
    const { issuer, clientId, caPem } = provider;
    const certificateAuthority = home.write('provider-ca.pem', caPem ?? '');
    home.writeConfig({
      version: 1,
      accounts: {
        hub: { registry: { userName: 'robot' } },
        cloud: { staticToken: {} },
        pods: { oidc: { issuer, clientId, flow: 'serviceAccountToken', certificateAuthority } },
      },
      registries: {
        pods: { matchImages: ['pods.example.com'], account: 'pods', userName: 'pod', audience: 'pods' },
        hub: { matchImages: ['docker.io', '*.corp.example'], account: 'hub' },
        team: { matchImages: ['reg.corp.example/team/'], account: 'cloud', userName: 'oauth2' },
      },
    });
    agent = await startAgent({ home, passphrase: 'of a kubelet' });
    mustBeGood(await home.lanyard(['secret', 'set', 'hub'], { input: 'password' }));
    mustBeGood(await home.lanyard(['secret', 'set', 'cloud'], { input: 'token' }));
    const printed = await home.lanyard(['image', 'config']);
    mustBeGood(printed);
    config = join(home.outside, 'credential-provider.yaml');
    writeFileSync(config, printed.stdout);
  }, 700_000);
  afterAll(async () => {
    await agent?.dispose();
    await provider?.dispose();
    home?.dispose();
  });

  async function pulls(...asked: (string | object)[]) {
    const child = spawn(program, [config, join(home.path, 'bin')], { env: home.env });
    const [out, log] = [text(child.stdout), text(child.stderr)];
    const lines = asked.map((each) => JSON.stringify(typeof each === 'string' ? { image: each } : each));
    child.stdin.end(lines.join('\n'));
    await once(child, 'close');
    const answers: { credentials: [string, string][]; audiences: string[] }[] = (await out)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return { answers, credentials: answers.map((each) => each.credentials), log: await log };
  }

  test('gets each image its credential, and none for an image of no registry', async () => {
    const { credentials, log } = await pulls(
      'docker.io/library/nginx',
      'reg.corp.example/app',
      'reg.corp.example/team/app',
      'other.corp.example/team/app',
      'registry.k8s.io/pause',
    );
    expect(log).toBe('');
    expect(credentials).toEqual([
      [['robot', 'password']],
      [['robot', 'password']],
      [['oauth2', 'token']],
      [['robot', 'password']],
      [],
    ]);
  });

  test('KEP-2133/service-accounts: passes on the token of a pod’s service account, which is exchanged', async () => {
    const token = await new SignJWT({ sub: 'system:serviceaccount:default:app' })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode('the cluster’s key'));
    const image = 'pods.example.com/app';
    const pod = { image, serviceAccount: 'app', token };
    const { answers, log } = await pulls(pod, pod, image, { ...pod, image: 'docker.io/library/nginx' });
    expect(log).toBe('');
    const [first, second, without, plain] = answers;
    const [userName, password = ''] = first?.credentials[0] ?? [];
    expect(userName).toBe('pod');
    expect(decodeJwt(password)).toMatchObject({ aud: 'pods', sub: 'system:serviceaccount:default:app' });
    expect(second?.credentials).toEqual(first?.credentials);
    expect(first?.audiences).toEqual([provider.issuer]);
    expect(provider.tokenExchange?.records).toHaveLength(1);
    // A pod without a service account: the provider is not run.
    expect(without).toMatchObject({ credentials: [], audiences: [] });
    // For a registry that needs none the kubelet requests no token.
    expect(plain).toMatchObject({ credentials: [['robot', 'password']], audiences: [] });
  });

  test('gets none from a locked Lanyard, and logs why', async () => {
    mustBeGood(await home.lanyard(['lock']));
    const { credentials, log } = await pulls('docker.io/library/nginx');
    expect(credentials).toEqual([[]]);
    expect(log).toContain('locked');
  });
});
