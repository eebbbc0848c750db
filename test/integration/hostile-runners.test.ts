import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type FakeHelper, ranWith, startFakeHelper } from '../support/fake-helper.ts';
import { isLong } from '../support/long.ts';
import { makePlugin, type TestPlugin } from '../support/plugin.ts';
import { Stage } from '../support/stage.ts';

/** A helper of the same user that lies about the program that it was to run. Its answer is its terminal's alone. */
describe('a helper that lies about a plugin', () => {
  let stage: Stage;
  let plugin: TestPlugin;
  const open = new Set<FakeHelper>();
  /** One for each lie: after a failure a caller without a terminal has to wait. */
  const unused = Array.from({ length: 20 }, (_, index) => `own${index}`);

  beforeAll(async () => {
    plugin = makePlugin();
    stage = await Stage.open({
      extend: (config) => {
        const cluster = config.clusters['prod-bot'];
        for (const name of ['brief', ...unused]) {
          const fields = name === 'brief' ? { timeoutSeconds: 1 } : {};
          config.accounts[name] = plugin.account({ share: false, ...fields });
          config.clusters[`prod-${name}`] = { ...cluster, account: name };
        }
        config.accounts['shared'] = plugin.account();
        config.clusters['prod-shared'] = { ...cluster, account: 'shared' };
      },
    });
  });
  afterEach(async () => {
    for (const helper of open) {
      helper.destroy();
      await helper.closed;
    }
    open.clear();
    // And the broker goes on with whoever else asks.
    const done = await stage.ask('shared', stage.execInfo(), { args: ['--cluster', 'prod-shared'] });
    expect(done.code).toBe(0);
  });
  afterAll(async () => {
    await stage?.dispose();
    plugin.dispose();
  });

  function ask(account = unused.pop() ?? ''): FakeHelper {
    const helper = startFakeHelper(stage.home.file('socket'), {
      account,
      cluster: `prod-${account}`,
      execInfo: stage.execInfo(),
    });
    open.add(helper);
    return helper;
  }

  /** In the past: it is handed to those who waited, and to nobody later. */
  const answer = (token: string, seconds = 1) =>
    JSON.stringify({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token, expirationTimestamp: new Date(Date.now() + seconds * 1_000).toISOString() },
    });

  const bad = { code: 1, stdout: '', stderr: expect.stringContaining("can't read what the helper sent") };

  test('gets its own answer back, and no one else does', async () => {
    const account = unused.pop() ?? '';
    const helper = ask(account);
    const order = await helper.frame('run');
    expect(order).toMatchObject({ command: plugin.command, terminal: false, pass: ['*'], cwd: null });
    helper.send({ kind: 'alive', id: order.id }, ranWith(order.id, answer('mine')));
    const ended = await helper.ended();
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ended.stdout).status.token).toBe('mine');
    const other = await stage.ask(account, stage.execInfo(), { args: ['--cluster', `prod-${account}`] });
    expect(JSON.parse(other.stdout).status.token).not.toBe('mine');
  });

  test.each<[string, (id: number) => object]>([
    ['the end of another run', (id) => ranWith(id + 1, answer('x'))],
    ['a sign of life of another run', (id) => ({ kind: 'alive', id: id + 1 })],
    [
      'base64 of the wrong length',
      (id) => ({ kind: 'ran', id, outcome: { how: 'exited', code: 0, stdout: 'YQ=' } }),
    ],
    ['more than was ordered', (id) => ranWith(id, Buffer.alloc(1024 * 1024 + 1, 'x'))],
    ['an exit code that is none', (id) => ranWith(id, answer('x'), 256)],
    ['an end that is none', (id) => ({ kind: 'ran', id, outcome: { how: 'lost' } })],
    ['no id', () => ({ kind: 'alive' })],
    ['an order of its own', (id) => ({ kind: 'run', id, command: '/bin/true' })],
  ])('is rejected with %s', async (_, lie) => {
    const helper = ask();
    const { id } = await helper.frame('run');
    helper.send(lie(id));
    expect(await helper.ended()).toEqual(bad);
    await helper.closed;
  });

  test('whose plugin’s answer is no credential gets the reason, and nothing on stdout', async () => {
    const helper = ask();
    const { id } = await helper.frame('run');
    helper.send(ranWith(id, Buffer.from([0xff, 0xfe, 0x1b, 0x5b])));
    const { code, stdout, stderr } = await helper.ended();
    expect([code, stdout]).toEqual([16, '']);
    expect(stderr).toContain('decoding stdout');
  });

  test('and goes away in the middle of its answer is forgotten', async () => {
    const helper = ask();
    const { id } = await helper.frame('run');
    const lie = JSON.stringify(ranWith(id, answer('half')));
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(lie.length);
    helper.write(Buffer.concat([bytes, Buffer.from(lie.slice(0, 50))]));
    helper.destroy();
    await helper.closed;
    // Of what it began to say nothing is left for the next.
    const next = ask();
    const order = await next.frame('run');
    next.send(ranWith(order.id, answer('whole')));
    expect((await next.ended()).stdout).toContain('whole');
  });

  test('and floods the broker with its program’s output blocks no one', async () => {
    const helper = ask();
    const { id } = await helper.frame('run');
    const said = { kind: 'said', id, data: Buffer.alloc(32 * 1024, 'e').toString('base64') };
    for (let times = 0; times < (isLong ? 300 : 100); times++) {
      helper.send(said, ...Array(100).fill({ kind: 'alive', id }));
    }
    const others = await stage.ask('shared', stage.execInfo(), { args: ['--cluster', 'prod-shared'] });
    expect(others.code).toBe(0);
    // A busy machine takes longer than a second for all that was sent before.
    helper.send(ranWith(id, answer('flood', 60)));
    expect((await helper.ended()).code).toBe(0);
  });

  test('and stays silent is left alone for the time that its plugin has', async () => {
    const helper = ask('brief');
    await helper.frame('run');
    const { code, stdout } = await helper.ended();
    expect([code, stdout]).toEqual([12, '']);
  });

  test('and stays silent loses the run to the next one that waits; its late answer is dropped', async () => {
    const account = unused.pop() ?? '';
    const silent = ask(account);
    const first = await silent.frame('run');
    const next = ask(account);
    const second = await next.frame('run');
    expect(await silent.frame('cancel')).toEqual({ kind: 'cancel', id: first.id });
    silent.send({ kind: 'alive', id: first.id }, ranWith(first.id, answer('late')));
    // Whatever is asked after it is answered after the broker has read it.
    await stage.ask('shared', stage.execInfo(), { args: ['--cluster', 'prod-shared'] });
    next.send({ kind: 'alive', id: second.id }, ranWith(second.id, answer('timely')));
    for (const helper of [silent, next]) {
      const { code, stdout } = await helper.ended();
      expect([code, JSON.parse(stdout).status.token]).toEqual([0, 'timely']);
    }
  });
});
