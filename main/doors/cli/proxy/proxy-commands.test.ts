import { describe, expect, test } from 'vitest';
import { cluster } from '../../../contract/config/cluster.ts';
import { refuse } from '../../../contract/refusal.ts';
import { withoutStyle } from '../../../domain/text/style.ts';
import type { ProxiedRequest, RequestProxy } from '../../../ports/request-proxy.ts';
import type { Command } from '../command.ts';
import { commandCall } from '../testing/command-call.ts';
import { proxyEndCommand, proxyRequestsCommand, proxyStatusCommand } from './proxy-commands.ts';

const now = 1_000_000_000;
const watch: ProxiedRequest = {
  ...{ id: 7, cluster: 'prod', pid: 4711, program: 'k9s', method: 'GET', path: '/api/v1/pods' },
  ...{ startedAt: now - 125_000, bytesUp: 12, bytesDown: 1_572_864 },
};
const exec: ProxiedRequest = { ...watch, id: 9, cluster: 'far', program: null, path: '/a\u202eb' };

function setUp({
  running = true,
  open = [watch, exec],
  faults = [] as ReturnType<RequestProxy['faults']>,
  listeners = [] as ReturnType<RequestProxy['listeners']>,
} = {}) {
  const ended: number[] = [];
  const configOf = (name: string, fields: object) => ({
    name,
    config: cluster.parse({ server: 'https://a.example', account: 'bot', ...fields }),
  });
  const deps = {
    requestProxy: {
      running: () => (running ? { port: 41_723, pid: 99 } : null),
      listeners: () => listeners,
      faults: () => faults,
      requests: async (of) => open.filter((each) => of === null || each.cluster === of),
      endRequest: async (id) => {
        ended.push(id);
        return open.some((each) => each.id === id)
          ? { ok: true }
          : refuse('notFound', 'proxy.request', `no request ${id} is under way`);
      },
      try: async () => refuse('notFound', 'proxy.none', 'not tried here'),
    } satisfies RequestProxy,
    config: {
      file: '/config.yaml',
      problems: () => [],
      current: () =>
        ({
          clusters: new Map([
            ['prod', configOf('prod', { proxy: {} })],
            ['plain', configOf('plain', {})],
          ]),
        }) as never,
    },
    clock: { now: () => now },
  };
  const run = async (command: (given: typeof deps) => Command, ...args: string[]) => {
    const { stdout, stderr, code } = await command(deps)(commandCall(args));
    return { code, stdout: stdout && withoutStyle(stdout), stderr };
  };
  return { run, ended };
}

describe('lanyard proxy', () => {
  test('status says where it listens, for whom, and what is wrong', async () => {
    const { run } = setUp({
      faults: [
        { cluster: 'prod', text: 'no\u0007 way' },
        { cluster: null, text: 'port' },
      ],
    });
    expect((await run(proxyStatusCommand)).stdout).toBe(
      [
        'proxy     127.0.0.1:41723, pid 99',
        'clusters  prod',
        'requests  2',
        'request proxy: prod: no\\u{7} way',
        'request proxy: port',
        '',
      ].join('\n'),
    );
    const read = await run(proxyStatusCommand, '--json');
    expect(JSON.parse(read.stdout ?? '')).toEqual({
      running: { port: 41_723, pid: 99 },
      clusters: ['prod'],
      requests: 2,
      listeners: [],
      faults: [
        { cluster: 'prod', text: 'no\u0007 way' },
        { cluster: null, text: 'port' },
      ],
    });
    const off = setUp({ running: false, open: [] });
    expect((await off.run(proxyStatusCommand)).stdout).toContain('not running: starts on first use');
  });

  test('status shows the listeners of one client’s own', async () => {
    const { run } = setUp({
      listeners: [
        {
          ...{ id: 1, cluster: 'prod', pid: 4711, program: 'agent', lockFile: '/run/agent.lock' },
          ...{ url: 'unix:///home/ann/proxy/a.sock', openedAt: now - 125_000 },
        },
      ],
    });
    expect((await run(proxyStatusCommand)).stdout).toBe(
      [
        'proxy     127.0.0.1:41723, pid 99',
        'clusters  prod',
        'requests  2',
        '',
        'CLUSTER  PROGRAM  PID   AGE    LISTENS ON',
        'prod     agent    4711  2 min  unix:///home/ann/proxy/a.sock',
        '',
      ].join('\n'),
    );
  });

  test('requests shows each with its program, age and bytes', async () => {
    const { run } = setUp();
    expect((await run(proxyRequestsCommand)).stdout).toBe(
      [
        'ID  CLUSTER  PROGRAM  PID   AGE    UP    DOWN     METHOD  PATH',
        '7   prod     k9s      4711  2 min  12 B  1.5 MiB  GET     /api/v1/pods',
        '9   far      unknown  4711  2 min  12 B  1.5 MiB  GET     /a\\u{202e}b',
        '',
      ].join('\n'),
    );
    expect((await run(proxyRequestsCommand, 'plain')).stderr).toBe('No requests are under way.\n');
    const read = await run(proxyRequestsCommand, 'prod', '--json');
    expect(JSON.parse(read.stdout ?? '')).toEqual([watch]);
    await expect(run(proxyRequestsCommand, 'prd')).rejects.toMatchObject({ hint: 'did you mean prod?' });
  });

  test('end ends one, and says when it is over', async () => {
    const { run, ended } = setUp();
    expect(await run(proxyEndCommand, '7')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Ended/),
    });
    await expect(run(proxyEndCommand, '8')).rejects.toMatchObject({
      reason: 'notFound',
      hint: 'lanyard proxy requests',
    });
    expect(ended).toEqual([7, 8]);
    for (const bad of ['x', '-1', '1.5', '']) {
      await expect(run(proxyEndCommand, '--', bad)).rejects.toMatchObject({ reason: 'usage' });
    }
    expect(ended).toHaveLength(2);
  });
});
