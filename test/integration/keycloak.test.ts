import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueClientCertificate } from '../support/certificates.ts';
import { type Keycloak, type Realm, startKeycloak } from '../support/keycloak/index.ts';
import { findKubectls } from '../support/kubectl.ts';
import { type KubernetesApi, startKubernetesApi } from '../support/kubernetes-api.ts';
import { whyNotLong } from '../support/long.ts';
import { type Ended, run } from '../support/processes.ts';
import { credentialIn, mustBeGood, Stage, until } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

/** Logins at a real Keycloak, through the broker, the helper and kubectl. */
const { newest } = findKubectls();
const algorithms = ['ES256', 'PS256', 'EdDSA'] as const;
/** Ends so soon that each test sees renewals. */
const shortSeconds = 5;
const deviceFlow = { 'oauth2.device.authorization.grant.enabled': 'true' };

describe('Keycloak (with --long)', unless(whyNotLong), () => {
  let keycloak: Keycloak;
  let why: string | null = null;
  let main: Realm;
  /** Tokens end soon, and each refresh token is good once. */
  let rotating: Realm;
  /** A session ends when nobody has used it for a few seconds. */
  let idle: Realm;
  /** Tokens live longer than any of its clocks is off. */
  let long: Realm;
  let api: KubernetesApi;
  let stage: Stage;
  /** Its broker's wall clock is off by the milliseconds in `clockFile`. */
  let off: Stage;
  let clockFolder: string | null = null;
  let clockFile = '';
  let workloadKey: KeyObject;
  let assertionFile: string;

  beforeAll(async () => {
    const started = await startKeycloak();
    if (!started.ok) {
      why = started.why;
      return;
    }
    keycloak = started;
    const workload = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    workloadKey = workload.privateKey;
    const jwks = {
      keys: [{ ...workload.publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid: 'one' }],
    };
    const loginClient = {
      publicClient: true,
      standardFlowEnabled: true,
      redirectUris: ['http://127.0.0.1/*'],
    };
    const robot = { serviceAccountsEnabled: true, standardFlowEnabled: false, publicClient: false };
    main = await keycloak.makeRealm('main', {
      clients: [
        {
          ...loginClient,
          clientId: 'strict',
          attributes: { ...deviceFlow, 'pkce.code.challenge.method': 'S256' },
        },
        ...algorithms.map((algorithm) => ({
          ...loginClient,
          clientId: `by-${algorithm}`,
          attributes: { ...deviceFlow, 'id.token.signed.response.alg': algorithm },
        })),
        { clientId: 'target', publicClient: false },
        {
          clientId: 'exchanger',
          publicClient: false,
          secret: 'exchanger-secret',
          redirectUris: ['http://127.0.0.1/*'],
          attributes: { ...deviceFlow, 'standard.token.exchange.enabled': 'true' },
          protocolMappers: [
            {
              name: 'target',
              protocol: 'openid-connect',
              protocolMapper: 'oidc-audience-mapper',
              config: { 'included.client.audience': 'target', 'access.token.claim': 'true' },
            },
          ],
        },
        {
          ...robot,
          clientId: 'pod',
          secret: 'pod-secret',
          protocolMappers: [
            {
              name: 'exchanger',
              protocol: 'openid-connect',
              protocolMapper: 'oidc-audience-mapper',
              config: { 'included.client.audience': 'exchanger', 'access.token.claim': 'true' },
            },
          ],
        },
        {
          ...robot,
          clientId: 'workload',
          clientAuthenticatorType: 'client-jwt',
          attributes: { 'use.jwks.string': 'true', 'jwks.string': JSON.stringify(jwks) },
        },
        {
          ...robot,
          clientId: 'by-certificate',
          clientAuthenticatorType: 'client-x509',
          attributes: { 'x509.subjectdn': 'CN=robot', 'x509.allow.regex.pattern.comparison': 'false' },
        },
      ],
    });
    const short = { accessTokenLifespan: shortSeconds };
    rotating = await keycloak.makeRealm('rotating', {
      realm: { ...short, revokeRefreshToken: true, refreshTokenMaxReuse: 0 },
    });
    idle = await keycloak.makeRealm('idle', {
      realm: { ...short, ssoSessionIdleTimeout: 2 },
    });
    const ownKey = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const ownKeys = {
      keys: [{ ...ownKey.publicKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid: 'own' }],
    };
    long = await keycloak.makeRealm('long', {
      realm: { accessTokenLifespan: 3600 },
      clients: [
        {
          ...loginClient,
          publicClient: false,
          clientId: 'keyed',
          clientAuthenticatorType: 'client-jwt',
          attributes: {
            ...deviceFlow,
            'use.jwks.string': 'true',
            'jwks.string': JSON.stringify(ownKeys),
          },
        },
      ],
    });
    const { issuer, jwksUri, clientId } = main;
    api = await startKubernetesApi({ oidc: { issuer, jwksUri, audience: clientId, caPem: keycloak.caPem } });
    stage = await Stage.open({
      extend: (config, { home, api: stageApi }) => {
        const { accounts, clusters } = config;
        const certificateAuthority = home.write('keycloak-ca.pem', keycloak.caPem);
        assertionFile = `${home.outside}/assertion`;
        const add = (name: string, realm: Realm, fields: object = {}, cluster: object = {}) => {
          const oidc = { issuer: realm.issuer, clientId: realm.clientId, certificateAuthority };
          accounts[name] = { oidc: { ...oidc, scopes: ['openid', 'email'], ...fields } };
          const own = {
            server: stageApi.server,
            certificateAuthority: home.write('api.pem', stageApi.caPem),
          };
          clusters[`${name}-prod`] = { ...own, account: name, ...cluster };
        };
        const keycloakApi = home.write('keycloak-api.pem', api.caPem);
        add('kc', main, {}, { server: api.server, certificateAuthority: keycloakApi });
        add('mistyped', main, { clientId: 'kubernets' });
        add('pasted', main);
        add('offline', main, { scopes: ['openid', 'offline_access'] });
        add('strict', main, { clientId: 'strict' });
        for (const algorithm of algorithms) {
          add(`by-${algorithm}`, main, { clientId: `by-${algorithm}` });
        }
        add('exchanger', main, { clientId: 'exchanger' }, { audience: 'target' });
        accounts['pods'] = {
          oidc: {
            issuer: main.issuer,
            clientId: 'exchanger',
            certificateAuthority,
            flow: 'serviceAccountToken',
            // Keycloak's standard token exchange takes its own access tokens alone.
            extraParams: { subject_token_type: 'urn:ietf:params:oauth:token-type:access_token' },
          },
        };
        config.registries = {
          pods: { matchImages: ['pods.example.com'], account: 'pods', userName: 'pod', audience: 'target' },
        };
        const client = { flow: 'clientCredentials', scopes: ['email'] };
        add('workload', main, { ...client, clientId: 'workload', clientAssertionFile: assertionFile });
        add('by-certificate', main, { ...client, clientId: 'by-certificate' });
        for (const name of ['rotated', 'signed-out', 'disabled']) {
          add(name, rotating);
        }
        add('idle', idle);
      },
    });
    clockFolder = mkdtempSync(join(tmpdir(), 'ly-clock-'));
    clockFile = join(clockFolder, 'off');
    writeFileSync(clockFile, '0');
    const preload = new URL('../support/clock-preload.ts', import.meta.url).href;
    off = await Stage.open({
      agent: {
        mode: 'source',
        env: { NODE_OPTIONS: `--import ${preload}`, LANYARD_TEST_CLOCK: clockFile },
      },
      extend: ({ accounts }, { home }) => {
        const certificateAuthority = home.write('keycloak-ca.pem', keycloak.caPem);
        const oidc = { issuer: long.issuer, certificateAuthority, scopes: ['openid', 'email'] };
        accounts['early'] = { oidc: { ...oidc, clientId: long.clientId } };
        accounts['late'] = accounts['early'];
        accounts['keyed'] = { oidc: { ...oidc, clientId: 'keyed' } };
      },
    });
    const pem = ownKey.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    mustBeGood(await off.lanyard(['secret', 'set', 'keyed/clientKey'], { input: pem }));
  }, 900_000);
  afterAll(async () => {
    await off?.dispose();
    if (clockFolder !== null) {
      rmSync(clockFolder, { recursive: true, force: true });
    }
    await stage?.dispose();
    await api?.dispose();
    await keycloak?.dispose();
  });

  const needsKeycloak = (skip: (condition: boolean, note?: string) => void) => skip(why !== null, why ?? '');

  async function logIn(account: string, realm: Realm, login = 'alice', at = stage): Promise<Ended> {
    const { running, code } = await at.beginLogin(account);
    await realm.person.approveDevice(code, login);
    return running.ended;
  }
  const ask = (account: string) =>
    stage.ask(account, stage.execInfo(), { args: ['--cluster', `${account}-prod`] });
  const tokenOf = async (account: string) => credentialIn(await ask(account)).token ?? '';
  /** Asks until a login is needed, as the held token has ended and the provider gives no other. */
  const untilRefused = (account: string) =>
    until(async () => {
      const asked = await ask(account);
      return asked.code === 0 ? null : asked;
    }, `the end of ${account}`);

  test('a login by device code, and kubectl gets pods', async ({ skip }) => {
    needsKeycloak(skip);
    mustBeGood(await logIn('kc', main));
    const kubeconfig = await stage.writeKubeconfig();
    mustBeGood(await stage.kubectl(newest, kubeconfig, ['--context', 'kc-prod', 'get', 'pods']));
    expect(api.requests.at(-1)).toMatchObject({ via: 'token', status: 200 });
  });

  test('a login in a browser elsewhere, whose last address is pasted', async ({ skip }) => {
    needsKeycloak(skip);
    const terminal = stage.onTerminal(['login', 'pasted', '--paste']);
    const address = /^ {2}(https:\S+)\s/m;
    const [, url = ''] = address.exec(await terminal.waitForText(address)) ?? [];
    await terminal.waitForText('Paste the address here');
    terminal.send(`${await main.person.callbackOf(url)}\r`);
    expect(await terminal.ended).toMatchObject({ code: 0 });
    expect(terminal.shown()).toContain('Logged in to pasted as');
  });

  test('a device login where the client requires PKCE', async ({ skip }) => {
    needsKeycloak(skip);
    mustBeGood(await logIn('strict', main));
    expect(decodeJwt(await tokenOf('strict'))).toMatchObject({ aud: 'strict' });
  });

  test('a user who says no at Keycloak’s page', async ({ skip }) => {
    needsKeycloak(skip);
    const { running, code } = await stage.beginLogin('strict');
    await main.person.denyDevice(code);
    expect(await running.ended).toMatchObject({ code: 10, stderr: expect.stringContaining('denied') });
  });

  test.for(algorithms)('an id token that is signed by %s', async (algorithm, { skip }) => {
    needsKeycloak(skip);
    mustBeGood(await logIn(`by-${algorithm}`, main));
    expect(decodeProtectedHeader(await tokenOf(`by-${algorithm}`)).alg).toBe(algorithm);
  });

  test('refresh tokens that are good once: renewed again and again', async ({ skip }) => {
    needsKeycloak(skip);
    mustBeGood(await logIn('rotated', rotating));
    const seen = new Set<string>();
    await until(async () => (seen.add(await tokenOf('rotated')).size === 4 ? true : null), 'four tokens');
  });

  test('a session that an administrator ends, and a user who is disabled: reported in Keycloak’s words', async ({
    skip,
  }) => {
    needsKeycloak(skip);
    mustBeGood(await logIn('signed-out', rotating));
    await rotating.signOut('alice');
    const ended = await untilRefused('signed-out');
    expect(ended).toMatchObject({ code: 15, stderr: expect.stringContaining('lanyard login signed-out') });
    expect(ended.stderr).toMatch(/ended the session .*(not active|Session)/);
    expect(ended.stderr).not.toContain('offline_access');

    mustBeGood(await logIn('disabled', rotating, 'bob'));
    await rotating.setEnabled('bob', false);
    const disabled = await untilRefused('disabled');
    expect(disabled).toMatchObject({ code: 15, stderr: expect.stringContaining('User disabled') });
    expect(disabled.stderr).not.toContain('offline_access');
  });

  test('a session that was unused for too long', async ({ skip }) => {
    needsKeycloak(skip);
    mustBeGood(await logIn('idle', idle));
    // Its refresh token ends long before the token itself does, so the first renewal comes too late.
    const ended = await untilRefused('idle');
    expect(ended).toMatchObject({ code: 15, stderr: expect.stringContaining('lanyard login idle') });
    expect(ended.stderr).toContain('ended the session');
    expect(ended.stderr).not.toContain('offline_access');
  });

  test('an offline session: there after a login, gone after a logout', async ({ skip }) => {
    needsKeycloak(skip);
    mustBeGood(await logIn('offline', main));
    expect(await main.sessions('alice')).toMatchObject({ offline: 1 });
    mustBeGood(await stage.lanyard(['logout', 'offline']));
    expect(await main.sessions('alice')).toMatchObject({ offline: 0 });
  });

  test('a login as another user is rejected, and leaves no session at Keycloak', async ({ skip }) => {
    needsKeycloak(skip);
    mustBeGood(await logIn('offline', main));
    expect(await logIn('offline', main, 'bob')).toMatchObject({ code: 10 });
    expect(await main.sessions('bob')).toEqual({ online: 0, offline: 0 });
    expect(await main.sessions('alice')).toMatchObject({ offline: 1 });
  });

  test('a token for another audience (standard token exchange)', async ({ skip }) => {
    needsKeycloak(skip);
    mustBeGood(
      await stage.lanyard(['secret', 'set', 'exchanger/clientSecret'], { input: 'exchanger-secret' }),
    );
    mustBeGood(await logIn('exchanger', main));
    expect(decodeJwt(await tokenOf('exchanger'))).toMatchObject({ aud: 'target', azp: 'exchanger' });
  });

  test('KEP-2133/service-accounts: the token that a kubelet passes on, exchanged for a registry’s password', async ({
    skip,
  }) => {
    needsKeycloak(skip);
    mustBeGood(await stage.lanyard(['secret', 'set', 'pods/clientSecret'], { input: 'exchanger-secret' }));
    const agent = new Agent({ connect: { ca: keycloak.caPem } });
    const answered = await fetch(`${main.issuer}/protocol/openid-connect/token`, {
      method: 'POST',
      dispatcher: agent,
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: 'pod',
        client_secret: 'pod-secret',
      }),
    });
    const { access_token: token } = (await answered.json()) as { access_token: string };
    await agent.destroy();
    const input = JSON.stringify({
      kind: 'CredentialProviderRequest',
      apiVersion: 'credentialprovider.kubelet.k8s.io/v1',
      image: 'pods.example.com/app',
      serviceAccountToken: token,
    });
    const provider = join(stage.home.path, 'bin/lanyard-credential-provider');
    const ended = await run(provider, [], { env: stage.home.env, input });
    mustBeGood(ended);
    const { username, password } = JSON.parse(ended.stdout).auth['pods.example.com'];
    expect(username).toBe('pod');
    expect(decodeJwt(password)).toMatchObject({ aud: 'target', azp: 'exchanger', sub: decodeJwt(token).sub });
  });

  test('a client that proves itself by an assertion from a file (RFC 7523)', async ({ skip }) => {
    needsKeycloak(skip);
    const sign = async (id: string) =>
      stage.home.write(
        'assertion',
        await new SignJWT({ jti: id })
          .setProtectedHeader({ alg: 'ES256', kid: 'one' })
          .setIssuer('workload')
          .setSubject('workload')
          .setAudience(main.issuer)
          .setIssuedAt()
          .setExpirationTime('60s')
          .sign(workloadKey),
      );
    await sign('first');
    mustBeGood(await stage.lanyard(['login', 'workload']));
    await sign('second');
    mustBeGood(await stage.lanyard(['login', 'workload']));
    expect(decodeJwt(await tokenOf('workload'))).toMatchObject({ azp: 'workload' });
    // Keycloak takes each one once.
    const again = await stage.lanyard(['login', 'workload']);
    expect(again).toMatchObject({ code: 16, stderr: expect.stringContaining('does not accept this client') });
  });

  test('a client that proves itself by its TLS certificate (RFC 8705)', async ({ skip }) => {
    needsKeycloak(skip);
    const set = async (commonName: string, ca = keycloak.clientCa) => {
      const { chainPem, keyPem } = await issueClientCertificate(ca, { commonName });
      const input = chainPem + keyPem;
      mustBeGood(await stage.lanyard(['secret', 'set', 'by-certificate/clientCertificate'], { input }));
    };
    await set('somebody');
    expect(await stage.lanyard(['login', 'by-certificate'])).toMatchObject({ code: 16 });
    await set('robot', stage.clientCa);
    expect(await stage.lanyard(['login', 'by-certificate'])).toMatchObject({
      code: 16,
      stderr: expect.stringContaining('certificate'),
    });
    await set('robot');
    mustBeGood(await stage.lanyard(['login', 'by-certificate']));
    expect(decodeJwt(await tokenOf('by-certificate'))).toMatchObject({ azp: 'by-certificate' });
  });

  test('doctor finds a wrong client id, and says which client is known', async ({ skip }) => {
    needsKeycloak(skip);
    const { stdout } = await stage.lanyard(['doctor', '--json']);
    const findings: { check: string; subject: string; level: string; message: string }[] =
      JSON.parse(stdout).findings;
    const of = (account: string) =>
      findings.filter(({ check, subject }) => check === 'account.client' && subject === account);
    expect(of('mistyped')).toMatchObject([
      { level: 'problem', message: expect.stringContaining('doesn’t know the client kubernets') },
    ]);
    expect(of('kc')).toMatchObject([
      { level: 'ok', message: expect.stringContaining('knows the client kubernetes') },
    ]);
  });

  const minutes = (count: number) => String(count * 60_000);

  // Keycloak's answers have no Date: the id token's `iat` tells.
  test.for([
    ['early', 7, '7 min ahead of'],
    ['late', -7, '7 min behind'],
  ] as const)(
    'a clock that is off, %s by %d min, is told by status and doctor',
    async ([account, by, words], { skip }) => {
      needsKeycloak(skip);
      writeFileSync(clockFile, minutes(by));
      mustBeGood(await logIn(account, long, 'alice', off));
      const { accounts } = await off.status();
      expect(accounts.find(({ name }: { name: string }) => name === account).problem).toContain(words);
      expect((await off.lanyard(['doctor'])).stdout).toContain(words);
    },
  );

  test.for([
    [7, 'Token was issued in the future', '7 min ahead of'],
    [-7, 'Token is not active', '7 min behind'],
  ] as const)(
    'a client’s key whose assertion is not active, as the clock is off by %d min by now',
    async ([by, said, words], { skip }) => {
      needsKeycloak(skip);
      writeFileSync(clockFile, '0');
      mustBeGood(await logIn('keyed', long, 'alice', off));
      writeFileSync(clockFile, minutes(by));
      const refused = await off.lanyard(['login', 'keyed']);
      expect(refused).toMatchObject({ code: 16, stderr: expect.stringContaining(said) });
      expect(refused.stderr).toContain(words);
      expect(refused.stderr).toContain('check this machine’s clock');
      expect(refused.stderr).not.toContain('clientSecret');
    },
  );
});
