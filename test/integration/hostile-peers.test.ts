import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtHelper } from '../support/home.ts';
import { isLong } from '../support/long.ts';
import { nodeForAnyone } from '../support/node-for-anyone.ts';
import { run } from '../support/processes.ts';
import { codeLine, credentialIn, Stage, until } from '../support/stage.ts';

const nobody = 65_534;

const isRoot = process.getuid?.() === 0;

/** One of each class; all are in the codec’s own tests, too (frame-codec.test.ts). */
const classes = /-(json|kind|oversized|utf8|truncated-body|answer-no-value|exit-stdout-not-base64)\.json$/;

/** The frames of test/wire that the broker must refuse. */
function badFrames(): { description: string; bytes: Buffer }[] {
  const folder = join(import.meta.dirname, '..', 'wire');
  return readdirSync(folder)
    .filter((name) => name.startsWith('bad-helper-') && (isLong || classes.test(name)))
    .map((name) => {
      const { description, bytesBase64 } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      return { description, bytes: Buffer.from(bytesBase64, 'base64') };
    });
}

function frame(value: object): Buffer {
  const body = Buffer.from(JSON.stringify(value));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, body]);
}

const hello = (fields: object = {}) =>
  frame({
    kind: 'hello',
    protocol: { min: 1, max: 1 },
    helper: '0.0.0',
    door: 'kube',
    features: ['stderr', 'progress', 'exit'],
    terminal: { stdin: false, stdout: false, stderr: false, controlling: false },
    request: { args: ['--account', 'bot'], execInfo: null },
    ...fields,
  });

describe('the broker', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.open();
    await stage.setSecrets();
  });
  afterAll(() => stage?.dispose());

  /** All that the broker says on a connection until its end. */
  function heard(bytes: Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const pieces: Buffer[] = [];
      const socket = connect(stage.home.file('socket'), () => socket.end(bytes));
      socket.on('data', (piece) => pieces.push(piece));
      socket.on('error', reject);
      socket.on('close', () => resolve(Buffer.concat(pieces)));
    });
  }

  const works = async () => expect(credentialIn(await stage.ask('bot')).token).toBe(stage.botToken);

  test.each(badFrames())('rejects $description, and keeps running', async ({ bytes }) => {
    const before = stage.agentLogs().length;
    const said = (await heard(bytes)).toString();
    expect(said).not.toContain(stage.botToken);
    // What ends in the middle is nobody's request; all else is answered with an error and noted.
    if (said !== '') {
      expect(JSON.parse(said.slice(4))).toMatchObject({ kind: 'exit', code: 1 });
      await until(() => (/connection\.frame/.test(stage.agentLogs().slice(before)) ? true : null), 'the log');
    }
    await works();
  });

  test('rejects a version and a door that it doesn’t have', async () => {
    for (const [fields, code] of [
      [{ protocol: { min: 2, max: 9 } }, 18],
      [{ door: 'no-such-door' }, 14],
    ] as const) {
      const said = (await heard(hello(fields))).toString();
      expect(JSON.parse(said.slice(4))).toMatchObject({ kind: 'exit', code });
    }
  });

  const done = { how: 'exited', code: 0, stdout: '' };
  test.each<[string, Buffer]>([
    ['a second hello', hello({ features: ['stderr', 'exit', 'run'] })],
    ['an answer that nobody asked for', frame({ kind: 'answer', id: 1, value: null })],
    ['a sign of life of no run', frame({ kind: 'alive', id: 1 })],
    ['what a program said that nobody ordered', frame({ kind: 'said', id: 1, data: 'aGk=' })],
    ['the end of a program that nobody ordered', frame({ kind: 'ran', id: 1, outcome: done })],
  ])('ends a connection that says more than hello: %s', async (_, more) => {
    for (const features of [
      ['stderr', 'exit'],
      ['stderr', 'exit', 'run'],
    ]) {
      const said = (await heard(Buffer.concat([hello({ features }), more]))).toString();
      expect(said).toContain("can't read what the helper sent");
      expect(said).not.toContain(stage.botToken);
    }
    await works();
  });

  test('is not blocked by 200 silent connections and 100 that break off, and drops them (rule: bounded-input)', async () => {
    const open = await Promise.all(
      Array.from({ length: 300 }, (_, index) => {
        return new Promise<Socket>((resolve, reject) => {
          const socket = connect(stage.home.file('socket'), () => resolve(socket));
          socket.on('error', reject);
          socket.resume();
          if (index >= 200) {
            socket.write(hello().subarray(0, 1 + (index % 30)));
          }
        });
      }),
    );
    const closed = Promise.all(open.map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    await works();
    expect(open.every((socket) => !socket.destroyed)).toBe(true);
    await works();
    await closed;
    await works();
  });

  test('frozen: the helper leaves by its own deadline, and all is well when it goes on', async () => {
    process.kill(stage.agent.pid, 'SIGSTOP');
    try {
      const done = await stage.ask('bot');
      expect([done.code, done.stdout]).toEqual([12, '']);
      expect(done.stderr).toContain('lanyard: timed out: the agent does not answer');
    } finally {
      process.kill(stage.agent.pid, 'SIGCONT');
    }
    await works();
  });

  test('drops a login whose helper was killed in the middle, and goes on', async () => {
    const { running, code } = await stage.beginLogin('corp');
    running.kill('SIGKILL');
    await running.ended;
    await stage.agent.waitForLog(/"account":"corp".*login\.(failed|refused)/);
    await stage.provider.person.approveDevice(code).catch(() => undefined);
    const polls = stage.provider.counts.tokenRequests.device_code;
    expect((await stage.ask('corp')).code).toBe(15);
    const next = await stage.beginLogin('corp');
    expect(next.code).not.toBe(code);
    await stage.provider.person.approveDevice(next.code);
    expect(await next.running.ended).toMatchObject({ code: 0 });
    expect(stage.provider.counts.tokenRequests.device_code).toBeGreaterThan(polls);
    expect((await stage.ask('corp')).code).toBe(0);
  });

  test('lets a login go on for the others when one helper is killed', async () => {
    await stage.lanyard(['logout', 'corp']);
    const first = await stage.beginLogin('corp');
    const second = await stage.beginLogin('corp');
    expect(second.code).toBe(first.code);
    first.running.kill('SIGKILL');
    await first.running.ended;
    await stage.provider.person.approveDevice(first.code);
    expect(await second.running.ended).toMatchObject({ code: 0 });
  });

  test('drops a login on Ctrl-C at the terminal', async () => {
    await stage.lanyard(['logout', 'corp']);
    const terminal = stage.onTerminal(['login', 'corp']);
    await terminal.waitForText(codeLine);
    const before = stage.agentLogs().length;
    terminal.send('\x03');
    expect((await terminal.ended).code).not.toBe(0);
    await until(
      () => (/login\.(failed|refused)/.test(stage.agentLogs().slice(before)) ? true : null),
      'its end',
    );
    await works();
  });

  describe.runIf(isRoot)('towards another user who can reach its socket (rule: owner-only)', () => {
    const file = (name: 'helper' | 'socket') => stage.home.file(name);

    /** Runs a program as that user, to whom everything on the way to the socket is open meanwhile. */
    async function asNobody(command: string, args: readonly string[]) {
      const ways = [stage.home.outside, stage.home.path, dirname(file('helper'))];
      const modes = [...ways, file('socket')].map((path) => [path, statSync(path).mode & 0o777] as const);
      for (const way of ways) {
        chmodSync(way, 0o755);
      }
      chmodSync(file('socket'), 0o666);
      try {
        return await run(command, args, { env: stage.home.env, uid: nobody, gid: nobody });
      } finally {
        for (const [path, mode] of modes) {
          chmodSync(path, mode);
        }
      }
    }

    test('closes the connection before it reads or says anything, and notes it', async () => {
      const program = `
        const socket = require('node:net').connect(${JSON.stringify(file('socket'))}, () => {
          console.log('connected');
          socket.write(Buffer.from(${JSON.stringify(hello().toString('base64'))}, 'base64'));
        });
        let bytes = 0;
        socket.on('data', (piece) => (bytes += piece.length));
        socket.on('error', () => undefined);
        socket.on('close', () => console.log('heard', bytes));`;
      const done = await asNobody(nodeForAnyone(stage.home.outside), ['-e', program]);
      expect(done.stdout).toBe('connected\nheard 0\n');
      await stage.agent.waitForLog(/"why":"another user","uid":65534.*connection\.refused/);
    });

    test('the helper itself rejects a home that isn’t its user’s', async () => {
      for (const args of [['kube-credential', '--account', 'bot'], ['status']]) {
        const done = await asNobody(file('helper'), args);
        expect([done.code, done.stdout]).toEqual([13, '']);
        expect(done.stderr).toContain('belongs to another user');
      }
    });
  });

  test.each([
    ['status'],
    ['login corp'],
    ['secret set bot'],
    ['kubeconfig write'],
    ['unlock'],
    ['agent'],
    ['version'],
    ['--help'],
  ])('no deputy: with KUBERNETES_EXEC_INFO set, lanyard %s is denied', async (line) => {
    for (const info of ['{}', '']) {
      const env = { ...stage.home.env, KUBERNETES_EXEC_INFO: info };
      const done = await run(builtHelper, line.split(' '), { env });
      expect([done.code, done.stdout]).toEqual([13, '']);
      expect(done.stderr).toContain(
        "lanyard: with KUBERNETES_EXEC_INFO set only 'kube-credential' and 'cluster-credential' are permitted",
      );
    }
  });
});
