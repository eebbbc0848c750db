import { chmodSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { onWindows } from '../../../test/support/system.ts';
import { refuse } from '../../contract/refusal.ts';
import { kubeCluster, kubeconfig } from '../../domain/import/testing/kube.ts';
import type { Check } from '../check.ts';
import { type ProxyCheckDeps, proxyCheck } from './proxy-check.ts';
import { otherContainerCheck, type ProxyClientsCheckDeps, proxyClientsCheck } from './proxy-clients-check.ts';

const run = async (check: Check) =>
  (await check.run(new AbortController().signal)).map(
    ({ subject, level, message, hint }) => `${level}: ${subject ? `${subject}: ` : ''}${message} (${hint})`,
  );

type Of = Partial<Omit<ProxyCheckDeps, 'proxy'>> & {
  running?: { port: number; pid: number };
  faults?: { cluster: string | null; text: string }[];
  port?: number;
};

function ofProxy({ running, faults = [], port, ...more }: Of = {}) {
  return run(
    proxyCheck(['prod', 'east'], {
      platform: 'linux',
      uid: process.getuid?.() ?? null,
      socketFolder: '/nowhere/proxy',
      program: process.execPath,
      gate: () => null,
      directory: { cluster: () => ({ ok: true }) as never },
      proxy: {
        running: () => running ?? null,
        faults: () => faults,
        knownPlace: () => (port === undefined ? null : { port, certificate: '' }),
      },
      ...more,
    }),
  );
}

describe('the request proxy', () => {
  test('that listens says where, and one that doesn’t run yet is no fault', async () => {
    expect(await ofProxy({ running: { port: 21_000, pid: 1 } })).toEqual([
      'ok: it listens on 127.0.0.1:21000 (null)',
    ]);
    expect(await ofProxy()).toEqual(['ok: it isn’t running; the first request starts it (null)']);
  });

  test('whose program is missing is a problem', async () => {
    expect(await ofProxy({ program: '/nowhere/lanyard-proxy' })).toEqual([
      'problem: its program is missing: /nowhere/lanyard-proxy (install Lanyard again)',
    ]);
  });

  test('that could not be started says why', async () => {
    expect(await ofProxy({ faults: [{ cluster: null, text: 'Address\u202e already in use' }] })).toEqual([
      expect.stringMatching(
        /^problem: it can’t be started: Address[^\u202e]* already in use \(see agent.log/,
      ),
    ]);
  });

  test('names the clusters that are pending, and those that it can’t serve', async () => {
    const directory: ProxyCheckDeps['directory'] = {
      cluster: (name) =>
        name === 'east'
          ? refuse('notPermitted', 'x', 'it is pending approval', 'lanyard confirm east')
          : ({ ok: true } as never),
    };
    expect(await ofProxy({ directory, faults: [{ cluster: 'prod', text: 'invalid certificate' }] })).toEqual([
      'ok: it isn’t running; the first request starts it (null)',
      'problem: prod: the proxy can’t serve it: invalid certificate (check its settings: lanyard cluster show prod)',
      'warning: east: refused by the proxy: it is pending approval (lanyard confirm east)',
    ]);
  });

  // Windows’ clients get no Unix sockets.
  test.skipIf(onWindows)('whose folder for sockets is too far down, or open to others, says so', async () => {
    // sun_path has room for 107 bytes (unix(7)); a name is `/12345678.sock`.
    expect(await ofProxy({ socketFolder: `/${'a'.repeat(92)}` })).toHaveLength(1);
    expect(await ofProxy({ socketFolder: `/${'a'.repeat(93)}` })).toEqual([
      'ok: it isn’t running; the first request starts it (null)',
      expect.stringMatching(/^note: the home’s path is 1 bytes too long for .*\(.*listen: tls/),
    ]);
    const folder = mkdtempSync(join(tmpdir(), 'ly-doctor-'));
    expect(await ofProxy({ socketFolder: folder })).toHaveLength(1);
    chmodSync(folder, 0o750);
    expect(await ofProxy({ socketFolder: folder })).toEqual([
      'ok: it isn’t running; the first request starts it (null)',
      `warning: ${folder} isn’t your folder alone, so clients get no Unix sockets there (KEP-2718) (look at what is in it, then remove it)`,
    ]);
    rmdirSync(folder);
  });

  test('isn’t checked while Lanyard is locked', async () => {
    const gate = () => refuse('locked', 'x', 'locked', 'lanyard unlock');
    expect(await ofProxy({ gate })).toEqual(['note: not checked: locked (lanyard unlock)']);
  });

  test('refuses everything on other systems', async () => {
    expect(await ofProxy({ platform: 'darwin' })).toEqual([
      expect.stringContaining('problem: on this system it refuses all requests'),
    ]);
  });
});

const at = (port: number, file = '/home/me/.kube/config') =>
  kubeCluster('prod', {
    server: `https://127.0.0.1:${port}/c/prod`,
    origin: { file, line: 1, name: 'prod' },
  });

function ofClients(
  clusters: ReturnType<typeof at>[],
  { variables = {}, ...more }: Partial<ProxyClientsCheckDeps> & { variables?: Record<string, string> } = {},
) {
  return run(
    proxyClientsCheck({
      person: { variables },
      read: async () => kubeconfig([], clusters, []),
      port: 21_000,
      inside: null,
      ...more,
    }),
  );
}

describe('clients of the request proxy', () => {
  test('without a proxied cluster find nothing', async () => {
    const plain = kubeCluster('prod', { server: 'https://127.0.0.1:6443' });
    expect(await ofClients([plain], { variables: { HTTPS_PROXY: 'http://p:1' } })).toEqual([]);
  });

  test.each<[string, Record<string, string>, boolean]>([
    ['no proxy', {}, false],
    ['a proxy', { HTTPS_PROXY: 'http://user:secret@p:1' }, true],
    ['a proxy in small letters', { https_proxy: 'http://p:1' }, true],
    ['another exception', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'localhost,10.0.0.0/8' }, true],
    ['the address', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'localhost, 127.0.0.1' }, false],
    ['its network', { HTTPS_PROXY: 'http://p:1', no_proxy: '127.0.0.0/8' }, false],
    ['all', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, false],
  ])('in Python, with %s', async (_, variables, isTold) => {
    const lines = await ofClients([at(21_000)], { variables });
    expect(lines).toEqual(
      isTold ? [expect.stringMatching(/^warning: .*Python.*\(add 127.0.0.1 to NO_PROXY\)$/)] : [],
    );
    expect(lines.join()).not.toContain('secret');
  });

  test('with a kubeconfig of another Lanyard are told where to write it', async () => {
    expect(await ofClients([at(22_000)])).toEqual([
      'warning: the server of prod is a request proxy, but not this Lanyard’s, which has port 21000 (write the kubeconfig again: lanyard kubeconfig write)',
    ]);
    expect(await ofClients([at(22_000)], { inside: 'container' })).toEqual([
      expect.stringContaining('run Lanyard where the client runs'),
    ]);
  });

  test('in a container with its host’s kubeconfig can’t reach it', async () => {
    expect(await ofClients([at(22_000)], { port: null, inside: 'container' })).toEqual([
      expect.stringContaining('which is this container and not its host'),
    ]);
    expect(await ofClients([at(22_000)], { port: null })).toEqual([]);
    expect(await run(otherContainerCheck(['prod']))).toEqual([expect.stringContaining('can’t reach prod')]);
  });

  test('of Windows can’t use the one in WSL', async () => {
    const file = '/mnt/c/Users/me/.kube/config';
    expect(await ofClients([at(21_000, file)], { inside: 'wsl' })).toEqual([
      expect.stringContaining('refuses clients of Windows'),
    ]);
    expect(await ofClients([at(21_000)], { inside: 'wsl' })).toEqual([]);
    expect(await ofClients([at(21_000, file)])).toEqual([]);
  });
});
