import { chmodSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type CertificateAuthority,
  createCa,
  issueClientCertificate,
  issueServerCertificate,
} from '../support/certificates.ts';
import { makeHome } from '../support/home.ts';
import { kubeconfigText } from '../support/kubeconfig.ts';
import { execVersion, findKubectls } from '../support/kubectl.ts';
import { type KubernetesApi, startKubernetesApi } from '../support/kubernetes-api.ts';
import type { Fault } from '../support/openid-provider.ts';
import type { Ended } from '../support/processes.ts';
import { startOnTerminal } from '../support/pty.ts';
import { Stage, until } from '../support/stage.ts';

let stage: Stage;
let providerCa: CertificateAuthority;
/** A server that no token here is meant for. */
let stranger: KubernetesApi;
beforeAll(async () => {
  stranger = await startKubernetesApi();
  providerCa = await createCa('provider CA');
  stage = await Stage.open({
    provider: { tls: { ca: providerCa } },
    extend: ({ accounts, clusters }) => {
      accounts['pair'] = { clientCertificate: {} };
      clusters['pair'] = { ...clusters['prod'], account: 'pair' };
      clusters['full'] = {
        ...clusters['prod'],
        account: 'bot',
        server: 'https://full.example.com',
        tlsServerName: 'api.example.com',
        proxyUrl: 'http://127.0.0.1:3128',
      };
    },
  });
  await stage.setSecrets();
});
afterAll(async () => {
  await stage?.dispose();
  await stranger?.dispose();
});

/** One line on stderr says what is wrong, nothing is on stdout, and the broker lives on. */
function expectRefused(done: Ended, code: number, message: string | RegExp): void {
  expect([done.code, done.stdout]).toEqual([code, '']);
  expect(done.stderr).toMatch(/^lanyard: [^\n]+\n(hint: [^\n]+\n)?$/);
  expect(done.stderr.length).toBeLessThan(2000);
  expect(done.stderr).toMatch(message);
  expect(stage.agent.isRunning()).toBe(true);
}

describe('a KUBERNETES_EXEC_INFO', () => {
  /** What the system lets through: 128 KiB with the name, `=` and the NUL. */
  const most = 131_072 - 'KUBERNETES_EXEC_INFO='.length - 1;
  const withPadding = () => {
    const bare = JSON.stringify({ ...stage.execInfo(), padding: '' });
    return JSON.stringify({ ...stage.execInfo(), padding: 'x'.repeat(most - bare.length) });
  };

  test('that is no JSON: rejected, as is one that is not UTF-8', async () => {
    expectRefused(await stage.ask('bot', '{"apiVersion":'), 2, /KUBERNETES_EXEC_INFO is not JSON/);
    const script = `KUBERNETES_EXEC_INFO="$(printf '{"kind":"\\377"}')" exec "$0" kube-credential --account bot`;
    const running = stage.start('/bin/sh', ['-c', script, stage.home.file('helper')]);
    running.closeInput();
    expectRefused(await running.ended, 2, /KUBERNETES_EXEC_INFO is not JSON/);
  });

  test('as large as the system lets through is answered', async () => {
    const text = withPadding();
    expect(text).toHaveLength(most);
    expect((await stage.ask('bot', text)).code).toBe(0);
  });

  test('with unknown fields is answered', async () => {
    const info = { ...stage.execInfo({ cluster: { tomorrow: {} } }), metadata: { name: 'x' } };
    expect((await stage.ask('bot', info)).code).toBe(0);
  });
});

describe('a name that doesn’t exist', () => {
  test('what steers a terminal is not repeated', async () => {
    const done = await stage.ask('\u001b]0;x\u0007\u202ecorp');
    expect(done.code).toBe(14);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    expect(done.stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});

describe('a cluster that differs from the known one (rule: known-server)', () => {
  const full = {
    server: 'https://full.example.com',
    'tls-server-name': 'api.example.com',
    'proxy-url': 'http://127.0.0.1:3128',
  };
  const named = (fields: object) =>
    stage.ask('bot', stage.execInfo({ cluster: { ...full, ...fields } }), { args: ['--cluster', 'full'] });

  test('is answered where nothing differs, and rejected otherwise, with the difference named', async () => {
    expect((await named({})).code).toBe(0);
    expectRefused(
      await named({ server: 'https://evil.example.com' }),
      13,
      /: server is https:\/\/evil.example.com, known is /,
    );
    // One more CA beside the known one.
    const { certificatePem } = await createCa('one more');
    const ca = Buffer.from(stage.api.caPem + certificatePem).toString('base64');
    const done = await named({ 'certificate-authority-data': ca });
    expectRefused(done, 13, /the certificate authority is \S+, known is \S+/);
  });

  test('through a real kubectl no token reaches that server', async () => {
    const exec = {
      exec: {
        apiVersion: `client.authentication.k8s.io/${execVersion(findKubectls().newest)}`,
        command: stage.home.file('helper'),
        args: ['kube-credential', '--account', 'bot'],
        provideClusterInfo: true,
      },
    };
    const to = { server: stranger.server, caPem: stranger.caPem };
    for (const [name, args] of [
      ['by its server', []],
      ['by a known cluster’s name', ['--cluster', 'prod-bot']],
    ] as const) {
      const user = { exec: { ...exec.exec, args: [...exec.exec.args, ...args] } };
      const file = stage.home.write('stranger', kubeconfigText(to, user));
      const done = await stage.kubectl(findKubectls().newest, file, ['get', 'pods']);
      expect(done.stdout, name).toBe('');
      expect(done.stderr, name).toContain('failed with exit code 13');
      expect(done.stderr, name).toMatch(/is configured for the account bot|server mismatch for the cluster/);
    }
    expect(stranger.requests.filter(({ token }) => token !== null)).toEqual([]);
  });
});

describe('a provider', () => {
  const host = () => new URL(stage.provider.issuer).host;
  afterEach(() => {
    stage.provider.clearFaults();
    stage.provider.lifetimes.idTokenSeconds = 600;
  });

  const faults: [string, Fault, RegExp][] = [
    ['that is down', { kind: 'down' }, / can’t be reached/],
    [
      'that answers HTML',
      { kind: 'html' },
      / answered with something that is not JSON\nhint: a network’s login page/,
    ],
  ];

  test.each(faults)('%s: no login, and it is said why', async (_, fault, said) => {
    // What is down is so for every connection, also before it is known what is wanted.
    stage.provider.setFault(fault.kind === 'down' ? 'all' : 'discovery', fault);
    const done = await stage.lanyard(['login', 'corp']);
    expectRefused(done, 16, said);
    expect(done.stderr).toContain(host());
  });

  test('with a certificate of an unknown authority: nothing is said to it', async () => {
    const before = stage.provider.counts.requests.discovery;
    stage.provider.useCertificate(await issueServerCertificate(await createCa('an impostor')));
    try {
      expectRefused(
        await stage.lanyard(['login', 'corp']),
        16,
        / presents a certificate of an unknown authority\nhint: set certificateAuthority/,
      );
      expect(stage.provider.counts.requests.discovery).toBe(before);
    } finally {
      stage.provider.useCertificate(await issueServerCertificate(providerCa));
    }
  });

  test('a device code that is denied', async () => {
    const { running, code } = await stage.beginLogin('corp');
    await stage.provider.person.denyDevice(code);
    const done = await running.ended;
    expect([done.code, done.stdout]).toEqual([10, '']);
    expect(done.stderr).toContain(`lanyard: the login of corp was denied at ${host()}`);
  });

  test('a device code that expires, and then no automatic login', async () => {
    const { running } = await stage.beginLogin('corp');
    stage.provider.expireDeviceCodes();
    const done = await running.ended;
    expect([done.code, done.stdout]).toEqual([12, '']);
    expect(done.stderr).toContain('lanyard: the code for the login of corp ran out before it was approved');
    const before = stage.provider.counts.requests.device_authorization;
    // Also at a terminal, where a login would begin by itself at other times (rule: no-storms).
    const terminal = startOnTerminal(stage.home.file('helper'), ['kube-credential', '--account', 'corp'], {
      env: {
        ...stage.home.env,
        KUBERNETES_EXEC_INFO: JSON.stringify(stage.execInfo({ interactive: true })),
      },
    });
    try {
      expect((await terminal.ended).code).toBe(15);
      expect(terminal.shown()).toContain('the last login ended with: the code for the login of corp ran out');
      expect(terminal.shown()).toContain('hint: run: lanyard login corp');
    } finally {
      await terminal.dispose();
    }
    expect(stage.provider.counts.requests.device_authorization).toBe(before);
  });

  describe('while a session has to be renewed', () => {
    /** Logged in, and the token has ended. */
    async function ended() {
      stage.provider.lifetimes.idTokenSeconds = 2;
      await stage.logIn();
      await until(async () => {
        const { accounts } = await stage.status();
        return accounts[0].secondsLeft === 0 ? true : null;
      }, 'the token’s end');
      stage.provider.lifetimes.idTokenSeconds = 600;
    }

    test('each fault is an error and not the end of the session', async () => {
      await ended();
      for (const [, fault, said] of faults) {
        stage.provider.setFault('all', fault);
        expectRefused(await stage.askAtTerminal('corp'), 16, said);
        stage.provider.clearFaults();
      }
      stage.provider.setFault('token', { kind: 'unknownKey' });
      expectRefused(
        await stage.askAtTerminal('corp'),
        16,
        / sent a token that none of its published keys has signed/,
      );
      stage.provider.clearFaults();
      expect((await stage.askAtTerminal('corp')).code).toBe(0);
    });

    test('a revoked refresh token: login needed, once, and no loop', async () => {
      await stage.lanyard(['logout', 'corp']);
      await ended();
      stage.provider.revokeRefreshTokens('alice');
      const before = stage.provider.refreshes.length;
      expectRefused(
        await stage.ask('corp'),
        15,
        /corp needs a login \(the provider ended the session of corp \(\S+\): invalid_grant: [^()]+\)\nhint: run: lanyard login corp/,
      );
      for (let times = 0; times < 5; times += 1) {
        expect((await stage.ask('corp')).code).toBe(15);
      }
      expect(stage.provider.refreshes.length).toBe(before + 1);
      const { accounts } = await stage.status();
      expect(accounts[0]).toMatchObject({ name: 'corp', state: 'loginNeeded' });
      await stage.logIn();
      expect((await stage.ask('corp')).code).toBe(0);
    });
  });
});

describe('a home', () => {
  test('that others can read: neither broker nor helper uses it', async () => {
    const home = makeHome();
    try {
      home.writeConfig({ version: 1 });
      chmodSync(home.path, 0o755);
      const passphrase = home.write('passphrase', 'x\n');
      const agent = await home.lanyard(['agent', '--passphrase-file', passphrase]);
      expect([agent.code, agent.stdout]).toEqual([2, '']);
      expect(agent.stderr).toContain(`lanyard: the home ${home.path} is open to others (mode 755)`);
      expect(agent.stderr).toContain(`chmod 700 ${home.path}`);
      const helper = await home.lanyard(['status']);
      expect([helper.code, helper.stdout]).toEqual([13, '']);
      expect(helper.stderr).toContain('is open to other users (mode 0755)');
    } finally {
      home.dispose();
    }
  });

  test('that becomes readable while the broker runs: the helper stays away from it', async () => {
    chmodSync(stage.home.path, 0o750);
    try {
      expectRefused(await stage.ask('bot'), 13, /is open to other users \(mode 0750\)\nhint: chmod 700/);
    } finally {
      chmodSync(stage.home.path, 0o700);
    }
    expect((await stage.ask('bot')).code).toBe(0);
  });
});

test('a client certificate with another’s key is not taken, and the pair is used further', async () => {
  const make = (commonName: string) => issueClientCertificate(stage.clientCa, { commonName });
  const set = async (name: string, input: string) => stage.lanyard(['secret', 'set', name], { input });
  const [one, other] = [await make('one'), await make('other')];
  await set('pair', one.chainPem + one.keyPem);
  expect((await stage.ask('pair')).code).toBe(0);
  expectRefused(await set('pair/key', other.keyPem), 2, /pair/);
  expect((await stage.ask('pair')).code).toBe(0);
  expect(await set('pair', other.chainPem + other.keyPem)).toMatchObject({ code: 0 });
  expect((await stage.ask('pair')).code).toBe(0);
});
