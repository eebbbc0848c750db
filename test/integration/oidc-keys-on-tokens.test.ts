import { createHash, createPublicKey, X509Certificate } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createCa, type IssuedCertificate, issueClientCertificate } from '../support/certificates.ts';
import { noSoftHsm, SoftHsm } from '../support/keys/softhsm.ts';
import { codeLine, credentialIn, mustBeGood, Stage, until } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

/**
 * KEP-541/standard-keys: OIDC clients that prove themselves with keys on tokens (private_key_jwt, mutual TLS), with the whole
 * broker, SoftHSM, and a provider that checks them.
 */
let stage: Stage;
let tokens: SoftHsm;
const keys = {} as Record<'ec' | 'rsa', IssuedCertificate>;

const jwksOf = ({ keyPem, certificatePem }: IssuedCertificate) => ({
  keys: [
    {
      ...createPublicKey(keyPem).export({ format: 'jwk' }),
      use: 'sig',
      x5c: [new X509Certificate(certificatePem).raw.toString('base64')],
    },
  ],
});
const grants = ['refresh_token', 'client_credentials', 'urn:ietf:params:oauth:grant-type:device_code'];
const robot = (clientId: string, fields: object) => ({
  clientId,
  flow: 'clientCredentials',
  token: 'access',
  ...fields,
});
const accounts = {
  'alice-ec': { clientId: 'jwt-ec', flow: 'device', clientKeyAccount: 'card-ec' },
  'alice-rsa': { clientId: 'jwt-rsa', flow: 'device', clientKeyAccount: 'card-rsa' },
  'alice-tls': { clientId: 'tls', flow: 'device', clientCertificateAccount: 'card-ec' },
  robot: robot('jwt-ec', { clientKeyAccount: 'card-ec' }),
  'robot-tls': robot('tls', { clientCertificateAccount: 'card-ec' }),
  'robot-self-signed': robot('self-signed', { clientCertificateAccount: 'card-rsa' }),
};

const client = (id: string, fields: object) => ({
  client_id: id,
  grant_types: grants,
  response_types: [],
  redirect_uris: [],
  ...fields,
});

beforeAll(async () => {
  if (noSoftHsm !== null) return;
  const clientCa = await createCa('clients');
  keys.ec = await issueClientCertificate(clientCa, { commonName: 'robot', key: 'P-256' });
  keys.rsa = await issueClientCertificate(clientCa, { commonName: 'robot', key: 'RSA-2048' });
  tokens = new SoftHsm();
  tokens.addToken(
    'card',
    (['ec', 'rsa'] as const).map((label, at) => ({ label, id: at + 1, ...keys[label] })),
  );
  stage = await Stage.open({
    provider: {
      clientCa,
      accessToken: 'jwt',
      clients: [
        ...(['ec', 'rsa'] as const).map((name) =>
          client(`jwt-${name}`, { token_endpoint_auth_method: 'private_key_jwt', jwks: jwksOf(keys[name]) }),
        ),
        client('tls', {
          token_endpoint_auth_method: 'tls_client_auth',
          tls_client_auth_subject_dn: 'CN=robot',
          tls_client_certificate_bound_access_tokens: true,
        }),
        client('self-signed', {
          token_endpoint_auth_method: 'self_signed_tls_client_auth',
          jwks: jwksOf(keys.rsa),
        }),
      ],
    },
    extend: (config, on) => {
      const env = Object.entries(tokens.env).map(([name, value]) => ({ name, value }));
      for (const label of Object.keys(keys)) {
        config.accounts[`card-${label}`] = {
          pkcs11: { module: tokens.misbehaving, token: 'card', label, env },
        };
      }
      for (const [name, fields] of Object.entries(accounts)) {
        config.accounts[name] = on.oidcAccount(undefined, fields);
        config.clusters[`${name}-prod`] = { ...config.clusters['prod'], account: name };
      }
    },
  });
});
afterEach(async () => {
  if (noSoftHsm !== null) return;
  tokens.reset();
  stage.provider.lifetimes.idTokenSeconds = 600;
  for (const name of [...Object.keys(accounts), ...Object.keys(keys).map((label) => `card-${label}`)]) {
    await stage.lanyard(['logout', name]);
  }
});
afterAll(async () => {
  await stage?.dispose();
  tokens?.dispose();
});

/** The person types the PIN, and approves the code where one is shown. */
async function logIn(account: string) {
  const terminal = stage.onTerminal(['login', account]);
  await terminal.waitForText('PIN of the token card (not shown): ');
  terminal.send('1234\r');
  if (account.startsWith('alice')) {
    const code = await until(() => codeLine.exec(terminal.shown())?.[1], 'the code');
    await stage.provider.person.approveDevice(code, { login: 'alice' });
  }
  const { code } = await terminal.ended;
  expect([code, terminal.shown()]).toEqual([0, expect.not.stringContaining('1234')]);
}

async function accountOf(name: string) {
  const { accounts: all } = await stage.status();
  return all.find((each: { name: string }) => each.name === name);
}

const tokenEnded = (name: string) =>
  until(async () => {
    const { secondsLeft } = await accountOf(name);
    return secondsLeft === null || secondsLeft === 0 ? true : null;
  }, 'the token’s end');
const form = () => stage.provider.lastRequest('token')?.form ?? {};
const signatures = () => tokens.noted('signs').length;

describe('a key on a token signs for an OIDC client', unless(noSoftHsm), () => {
  test.each([
    ['alice-ec', 'jwt-ec', 'ES256'],
    ['alice-rsa', 'jwt-rsa', 'RS256'],
  ])(
    'KEP-541/standard-keys: %s logs in by device code as %s and is renewed, by %s',
    async (name, aud, alg) => {
      stage.provider.lifetimes.idTokenSeconds = 1;
      await logIn(name);
      await tokenEnded(name);
      stage.provider.lifetimes.idTokenSeconds = 600;
      const before = signatures();
      const { token = '' } = credentialIn(await stage.ask(name));
      expect(decodeJwt(token)).toMatchObject({ sub: 'alice', aud });
      expect(form()).toMatchObject({ grant_type: 'refresh_token' });
      expect(decodeProtectedHeader(String(form()['client_assertion']))).toMatchObject({ alg });
      expect(signatures()).toBe(before + 1);
      expect(tokens.noted('logins')).toEqual(['pin']);
      expect(stage.agentLogs()).not.toMatch(/1234|eyJ/);
    },
  );

  test('in TLS, too: login and renewal', async () => {
    stage.provider.lifetimes.idTokenSeconds = 1;
    await logIn('alice-tls');
    await tokenEnded('alice-tls');
    stage.provider.lifetimes.idTokenSeconds = 600;
    const before = signatures();
    mustBeGood(await stage.ask('alice-tls'));
    expect(form()).toMatchObject({ grant_type: 'refresh_token', client_id: 'tls' });
    expect(signatures()).toBe(before + 1);
    expect(stage.agentLogs()).not.toMatch(/1234|eyJ/);
  });

  test.each([
    ['robot-tls', 'card-ec', true],
    ['robot-self-signed', 'card-rsa', false],
  ])('KEP-541/standard-keys: %s proves itself by the certificate of %s', async (name, card, isBound) => {
    await logIn(card);
    const before = signatures();
    const { token = '' } = credentialIn(await stage.ask(name));
    const { raw } = new X509Certificate(card === 'card-ec' ? keys.ec.chainPem : keys.rsa.chainPem);
    const confirmed = { 'x5t#S256': createHash('sha256').update(raw).digest('base64url') };
    expect(decodeJwt(token)['cnf']).toEqual(isBound ? confirmed : undefined);
    expect(signatures()).toBe(before + 1);
  });
});

describe('without its PIN, or without the token', unless(noSoftHsm), () => {
  test('nobody is asked in the background, and what helps is said; the PIN once given is good for both', async () => {
    const refused = await stage.ask('robot');
    expect(refused.code).toBe(15);
    expect(refused.stderr).toMatch(/card-ec/);
    expect(refused.stderr).toMatch(/lanyard login robot/);
    expect(await accountOf('robot')).toMatchObject({ state: 'loginNeeded' });
    expect(tokens.noted('logins')).toEqual([]);

    await logIn('robot');
    expect(await accountOf('card-ec')).toMatchObject({ state: 'ready', subject: 'robot' });
    expect(decodeProtectedHeader(String(form()['client_assertion']))).toMatchObject({ alg: 'ES256' });
    mustBeGood(await stage.ask('robot-tls'));
    expect(tokens.noted('logins')).toEqual(['pin']);
  });

  test('a token that is taken out ends it; put back, it goes on', async () => {
    await logIn('card-ec');
    mustBeGood(await stage.ask('robot'));
    for (const name of ['robot', 'robot-tls']) {
      mustBeGood(await stage.lanyard(['logout', 'robot']));
      tokens.misbehave('gone');
      const refused = await stage.askAtTerminal(name);
      expect(refused.code).toBe(16);
      expect(refused.stderr).toContain('card-ec');
      tokens.misbehave('gone', false);
      mustBeGood(await stage.askAtTerminal(name));
    }
    expect(new Set(tokens.noted('logins'))).toEqual(new Set(['pin']));
  });
});
