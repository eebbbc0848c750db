import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { oidcAccount } from '../../contract/config/accounts/oidc.ts';
import { kubeloginAccount } from './kubelogin-account.ts';
import { kubeExec } from './testing/kube.ts';

const base = ['--oidc-issuer-url=https://id.example.com', '--oidc-client-id=kubernetes'];
const extraParams = '--oidc-auth-request-extra-params';
const places = { authorityFiles: new Map(), homeDirectory: '/home/me' };
const sources = { ...places, now: 0, searchPath: null, programOf: () => null };

function make(args: readonly string[], env: Record<string, string> = {}) {
  return kubeloginAccount(args, kubeExec('kubelogin', [], env).env, sources);
}

/** The account’s keys beyond what `base` alone gives. */
function added(args: readonly string[], env: Record<string, string> = {}): unknown {
  const [made, plain] = [make([...base, ...args], env), make(base)];
  if (!made.ok || !plain.ok) {
    return made;
  }
  const [value, usual] = [made.value, plain.value].map((each) => ('oidc' in each ? { ...each.oidc } : {}));
  expect(oidcAccount.safeParse(value).success).toBe(true);
  const unlike = Object.entries(value ?? {}).filter(
    ([key, each]) => JSON.stringify(each) !== JSON.stringify((usual as Record<string, unknown>)[key]),
  );
  const gone = Object.keys(usual ?? {}).filter((key) => !Object.hasOwn(value ?? {}, key));
  return { ...Object.fromEntries(unlike), ...Object.fromEntries(gone.map((key) => [key, null])) };
}

test('kubelogin with its two needed flags: the way back is the one registered for it', () => {
  expect(make(base)).toEqual({
    ok: true,
    value: {
      oidc: {
        issuer: 'https://id.example.com',
        clientId: 'kubernetes',
        scopes: ['openid'],
        redirectUri: 'http://localhost',
        redirectPorts: [8000, 18000],
      },
    },
    secrets: {},
    authorityPem: null,
    needsLogin: true,
    notes: [
      expect.stringContaining('cached refresh token is not taken'),
      expect.stringMatching(/^kubelogin and Lanyard log in as the same client \(kubernetes\): .*Dex/),
      'what kubelogin has cached stays in ~/.kube/cache/oidc-login in plain text: remove it once the new login works',
    ],
  });
});

// https://github.com/int128/kubelogin/blob/master/docs/usage.md
describe('flags that Lanyard has', () => {
  test.each<[string[], unknown]>([
    [
      ['--oidc-extra-scope=email,groups', '--oidc-extra-scope', 'profile'],
      { scopes: ['openid', 'email', 'groups', 'profile'] },
    ],
    [['--oidc-extra-scope=openid'], {}],
    [['--oidc-use-access-token'], { token: 'access' }],
    [['--oidc-use-access-token=true'], { token: 'access' }],
    [['--oidc-use-access-token=false'], {}],
    [['--grant-type=auto'], {}],
    [['--grant-type', 'authcode'], { flow: 'browser' }],
    [['--grant-type=device-code'], { flow: 'device', redirectUri: null, redirectPorts: null }],
    [
      ['--grant-type=client-credentials', '--oidc-use-access-token', '--oidc-client-secret=s'],
      { flow: 'clientCredentials', token: 'access', redirectUri: null, redirectPorts: null },
    ],
    [
      ['--listen-address=127.0.0.1:12345', '--listen-address=localhost:23456'],
      { redirectPorts: [12345, 23456] },
    ],
    [['--listen-address', '127.0.0.1:1,127.0.0.1:2'], { redirectPorts: [1, 2] }],
    [['--listen-address=127.0.0.1:0'], { redirectPorts: null }],
    [['--listen-address=0.0.0.0:8000'], { redirectPorts: [8000] }],
    [['--oidc-redirect-url-hostname=127.0.0.1'], { redirectUri: 'http://127.0.0.1' }],
    [
      ['--oidc-redirect-url=http://localhost:8000/callback'],
      { redirectUri: 'http://localhost:8000/callback', redirectPorts: null },
    ],
    [
      [`${extraParams}=prompt=login,acr_values=a=b`, extraParams, 'ttl=86400'],
      { extraParams: { prompt: 'login', acr_values: 'a=b', ttl: '86400' } },
    ],
    [[`${extraParams}=login_hint=me@example.com`], { loginHint: 'me@example.com' }],
    [
      ['--oidc-issuer-url=https://accounts.google.com'],
      { issuer: 'https://accounts.google.com', extraParams: { access_type: 'offline' } },
    ],
    [['--oidc-client-id=a', '--oidc-client-id=b'], { clientId: 'b' }],
  ])('%j', (args, expected) => {
    expect(added(args)).toEqual(expected);
  });

  test('a proxy among its variables', () => {
    expect(added([], { HTTPS_PROXY: 'http://proxy:3128', BROWSER: 'firefox' })).toEqual({
      proxyUrl: 'http://proxy:3128',
    });
  });

  test('the client’s secret goes to the vault, and shows nowhere', () => {
    const made = make([...base, '--oidc-client-secret', 'canary']);
    expect(made.ok && made.secrets['clientSecret']?.reveal()).toBe('canary');
    expect(JSON.stringify(made)).not.toContain('canary');
  });
});

test('where its cache is, unless it is not on the disk', () => {
  const notes = (...flags: string[]) => {
    const made = make([...base, ...flags]);
    return made.ok ? made.notes.filter((note) => note.startsWith('what kubelogin has cached')) : null;
  };
  expect(notes('--token-cache-dir', '/x')).toEqual([expect.stringContaining(' stays in /x in plain text')]);
  expect(notes('--token-cache-storage=keyring')).toEqual([]);
  expect(notes('--token-cache-storage=none')).toEqual([]);
});

describe('flags that make no difference are named', () => {
  test.each([
    [['--force-refresh'], '--force-refresh'],
    [['--token-cache-dir=/x', '--token-cache-storage', 'keyring'], '--token-cache-storage'],
    [['--skip-open-browser', '--browser-command=firefox'], '--skip-open-browser, --browser-command'],
    [['--oidc-use-pkce', '--oidc-pkce-method=S256'], '--oidc-use-pkce, --oidc-pkce-method'],
    [['--authentication-timeout-sec=60'], '--authentication-timeout-sec'],
  ])('%j', (args, named) => {
    expect(added(args)).toEqual({});
    const made = make([...base, ...args]);
    expect(made.ok && made.notes).toContain(`not needed any more: ${named}`);
  });

  test.each(['-v1', '-v 1', '-v=1', '--v=1', '--logtostderr --skip_headers'])('%s, silently', (flags) => {
    expect(make([...base, ...flags.split(' ')])).toEqual(make(base));
  });
});

describe('what would change who logs in, or how, stays', () => {
  test.each<[string, string[]]>([
    ['with a password', ['--grant-type=password']],
    ['with a password', ['--username=canary', '--password=canary']],
    ['authcode-keyboard', ['--grant-type=authcode-keyboard']],
    ['--grant-type that Lanyard doesn’t know', ['--grant-type=canary']],
    ['--insecure-skip-tls-verify', ['--insecure-skip-tls-verify']],
    ['--local-server-cert', ['--local-server-cert=/c', '--local-server-key=/k']],
    ['--oidc-request-header', ['--oidc-request-header=X-Api-Key=canary']],
    ['takes an id token for the client itself', ['--grant-type=client-credentials']],
    ['is not http on loopback', ['--oidc-redirect-url=https://canary.example.com/cb']],
    ['have different ports', ['--oidc-redirect-url=http://localhost:9000']],
    ['leads to another host', ['--oidc-redirect-url-hostname=canary.example.com']],
    ['--listen-address can’t be read', ['--listen-address=canary']],
    ['--listen-address can’t be read', ['--listen-address=127.0.0.1:70000']],
    ['kubelogin has --brand-new, which', ['--brand-new=canary']],
    ['an unknown flag', ['--canary canary=1']],
    ['an argument that is no flag', ['canary']],
    ['an argument that is no flag', ['-p', 'canary']],
    ['--username without a value', ['--username']],
    ['extra-params can’t be read', [`${extraParams}=canary`]],
    ['its parameter client_secret is Lanyard’s own', [`${extraParams}=client_secret=canary`]],
    ['its provider’s CA is a file relative', ['--certificate-authority=canary.pem']],
    [`its provider’s CA can’t be read: ${resolve('/home/me/ca.pem')}`, ['--certificate-authority=~/ca.pem']],
    ['its provider’s CA is not base64', ['--certificate-authority-data=canary!']],
    [
      'its provider’s CA can’t be read: there is no certificate in it',
      ['--certificate-authority-data=Y2FuYXJ5'],
    ],
    ['its issuer can’t stand in config.yaml: must be https', ['--oidc-issuer-url=http://canary.example.com']],
    [
      'its issuer can’t stand in config.yaml: must not hold a user name',
      ['--oidc-issuer-url=https://u:canary@id.example'],
    ],
    ['its issuer can’t stand in config.yaml: expected an https', ['--oidc-issuer-url=canary']],
    ['it names no client id', ['--oidc-client-id=']],
  ])('%s: %j', (reason, args) => {
    const made = make([...base, ...args]);
    expect(made).toEqual({ ok: false, left: expect.stringContaining(reason) });
    expect(JSON.stringify(made)).not.toContain('canary');
  });

  test('a variable that no one knows; a proxy with a password', () => {
    expect(make(base, { SSL_CERT_FILE: 'canary' })).toEqual({
      ok: false,
      left: 'kubelogin runs with the variable SSL_CERT_FILE, which Lanyard doesn’t know',
    });
    const made = make(base, { HTTPS_PROXY: 'http://u:canary@proxy:1' });
    expect(made).toEqual({
      ok: false,
      left: expect.stringContaining('its proxyUrl can’t stand in config.yaml'),
    });
    expect(JSON.stringify(made)).not.toContain('canary');
  });
});
