import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { builtAddon, onWindows } from '../../../test/support/system.ts';
import type { Disposable } from '../../base/disposables.ts';
import { Secret } from '../../base/secret.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import { exitCodes } from '../../contract/exit-codes.ts';
import type { Door, DoorContext } from '../../ports/door.ts';
import { silentLog } from '../../ports/log.ts';
import type { CallerChain, PeerIdentity, ProcessInfo } from '../../ports/peer-identity.ts';
import type { RunOutcome } from '../../ports/program-runner.ts';
import { loadAddon } from '../native/addon.ts';
import { createFrameBudget, type FrameBudget } from './frame-budget.ts';
import { encodeFrame, FrameReader } from './frame-codec.ts';
import type { Listener } from './listener.ts';
import { createPipeListener } from './pipe-listener.ts';
import { serve as serveSocket } from './server.ts';
import { createUnixListener } from './unix-listener.ts';

const ownUid = 1000;

/** A process table: shell 50 → kubectl 100 → helper 200. */
function processes(changes: Partial<Record<number, Partial<ProcessInfo>>> = {}) {
  const make = (pid: number, parentPid: number, name: string): ProcessInfo => ({
    pid,
    parentPid,
    startTime: `s${pid}`,
    name,
    executable: `/usr/bin/${name}`,
    executableId: `1:${pid}`,
    sessionLeaderPid: 50,
    hasTerminal: true,
    pidNamespace: 'pid:[1]',
    ...changes[pid],
  });
  return new Map(
    [
      make(1, 0, 'init'),
      make(50, 1, 'zsh'),
      make(100, 50, 'kubectl'),
      make(200, 100, 'lanyard'),
      make(999, 1, 'broker'),
    ].map((each) => [each.pid, each]),
  );
}

function chainIn(among: typeof table, pid: number): CallerChain | null {
  const at = (each: number | undefined) => (each === undefined ? null : (among.get(each) ?? null));
  const helper = at(pid);
  const parent = at(helper?.parentPid);
  const above = at(parent?.parentPid);
  const sessionLeader = at(parent?.sessionLeaderPid);
  return helper && { helper, parent, above, sessionLeader, sure: true };
}

let folder: string;
let clock: ManualClock;
let budget: FrameBudget;
let server: Disposable | null = null;
let table: Map<number, ProcessInfo>;
let peerUid: number;
const open = new Set<Socket>();

const identity: PeerIdentity = {
  peer: () => ({ uid: peerUid, pid: 200 }),
  process: (pid) => table.get(pid) ?? null,
  brief: (pid) => table.get(pid) ?? null,
  chain: (pid) => chainIn(table, pid),
  ownUid: () => ownUid,
  ownPid: () => 999,
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ly-'));
  clock = new ManualClock();
  budget = createFrameBudget(64 * 1024 * 1024);
  table = processes();
  peerUid = ownUid;
});

afterEach(async () => {
  for (const socket of open) {
    socket.destroy();
  }
  const ended = server?.dispose();
  if (onWindows && server) {
    // Ends the wait for the next connection.
    open.add(connect(pipeName()).on('error', () => undefined));
  }
  await ended;
  server = null;
  await rm(folder, { recursive: true });
});

const pipeName = () => loadAddon(builtAddon).pipeName(folder);

/** What the broker has on this system: a Unix socket, or a pipe. */
function listenerHere(): { path: string; listener: Listener } {
  if (onWindows) {
    const name = pipeName();
    return { path: name, listener: createPipeListener(builtAddon, { name, clock, log: silentLog }) };
  }
  const path = join(folder, 'sock');
  return { path, listener: createUnixListener(path) };
}

async function serve(door: Door, versions = { min: 1, max: 1 }): Promise<string> {
  const { path, listener } = listenerHere();
  server = await serveSocket({
    listener,
    budget,
    clock,
    log: silentLog,
    identity,
    doors: new Map([['kube', door]]),
    brokerVersion: '0.1.0',
    versions,
  });
  return path;
}

const hello = {
  kind: 'hello',
  protocol: { min: 1, max: 1 },
  helper: '0.1.0',
  door: 'kube',
  features: ['stderr', 'prompt', 'progress', 'exit'],
  terminal: { stdin: false, stdout: false, stderr: true, controlling: true },
  request: { args: ['--account', 'corp'], execInfo: null },
};

const ranNothing = { kind: 'ran', id: 1, outcome: { how: 'notFound' } };

/** The helper's side. */
function client(path: string, options: { allowHalfOpen?: boolean } = {}) {
  const socket = connect({ path, ...options });
  open.add(socket);
  const reader = new FrameReader();
  const frames: Record<string, unknown>[] = [];
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    for (const read of reader.push(chunk)) {
      if (read.ok) {
        frames.push(JSON.parse(read.json.toString('utf8')));
      }
    }
  });
  const frame = async (kind: string) => {
    for (;;) {
      const found = frames.find((each) => each.kind === kind);
      if (found) {
        return found;
      }
      await turn();
    }
  };
  return { socket, frames, closed, frame, send: (value: object) => socket.write(encodeFrame(value)) };
}

const answers: Door = async () => ({ code: exitCodes.good, stdout: 'out', stderr: 'err' });

/** What a helper that says `message`, and no more, gets from `door` until the end. */
async function framesFrom(door: Door, message: object = hello, versions?: { min: number; max: number }) {
  const { send, frames, closed } = client(await serve(door, versions));
  send(message);
  await closed;
  return frames;
}

/** What the door knows of such a helper’s request, by `look`. */
async function seenBy<Seen>(look: (context: DoorContext) => Seen | Promise<Seen>, message: object = hello) {
  let seen: Seen | undefined;
  await framesFrom(async (_request, context) => {
    seen = await look(context);
    return { code: 0 };
  }, message);
  return seen;
}

describe('a request', () => {
  it('gets a welcome with the version, and one exit frame', async () => {
    expect(await framesFrom(answers)).toEqual([
      { kind: 'welcome', protocol: 1, broker: '0.1.0' },
      { kind: 'exit', code: 0, stdout: Buffer.from('out').toString('base64'), stderr: 'err' },
    ]);
  });

  it('is refused, and the broker goes on, while the system can’t tell who the caller is', async () => {
    const path = await serve(answers);
    const tell = identity.chain;
    identity.chain = () => {
      throw new Error('process info: too many open files');
    };
    const refused = client(path);
    refused.send(hello);
    await refused.closed;
    identity.chain = tell;
    expect(refused.frames).toMatchObject([{ kind: 'exit', code: 1 }]);
    const next = client(path);
    next.send(hello);
    await next.closed;
    expect(next.frames.at(-1)).toMatchObject({ kind: 'exit', code: 0 });
  });

  it('knows its caller: the helper’s parent, from the system and not from the message (rule: caller-is-a-label)', async () => {
    const lies = { ...hello, caller: { pid: 1 }, request: { pid: 1 } };
    expect(await seenBy(({ caller }) => caller, lies)).toMatchObject({
      uid: ownUid,
      pid: 100,
      startTime: 's100',
      executable: '/usr/bin/kubectl',
      executableId: '1:100',
      session: { leaderPid: 50, startTime: 's50' },
      origin: 'local',
      hasTerminal: true,
      sure: true,
    });
  });

  it('tells whom it is asked by: the caller and those above it, without what could forge a line', async () => {
    table = processes({ 50: { name: 'tmux:\n\u001b[2J' } });
    const seen = await seenBy(({ lineage }) => {
      const first = lineage();
      // Another process has the caller's pid by now: its name is not the caller's.
      table = processes({ 100: { startTime: 'later', name: 'other' } });
      return [first, lineage()];
    });
    expect(seen).toEqual([['kubectl', 'tmux:\\u{a}\\u{1b}[2J'], []]);
  });

  it.each([
    ['below an SSH daemon', { 50: { parentPid: 40 }, 40: {} }, 'ssh'],
    ['in another pid namespace', { 100: { pidNamespace: 'pid:[2]' } }, 'container'],
  ])('tells a caller %s apart', async (_, changes, origin) => {
    table = processes(changes);
    const [daemon] = processes({ 1: { pid: 40, name: 'sshd-session', parentPid: 1 } }).values();
    table.set(40, daemon as ProcessInfo);
    expect(await seenBy(({ caller }) => caller.origin)).toBe(origin);
  });

  it('asks and gets the answer as a secret', async () => {
    let answer: Secret | null = null;
    const path = await serve(async (_, { terminal }) => {
      answer = await terminal.ask('Passphrase: ');
      return { code: 0 };
    });
    const { send, frame, closed } = client(path);
    send(hello);
    const prompt = await frame('prompt');
    expect(prompt).toMatchObject({ text: 'Passphrase: ', echo: false });
    send({ kind: 'answer', id: prompt.id, value: Buffer.from('hunter2').toString('base64') });
    await closed;
    expect(answer).toBeInstanceOf(Secret);
    expect((answer as Secret | null)?.reveal()).toBe('hunter2');
  });

  it('is not asked where the system sees no terminal, whatever the helper says', async () => {
    table = processes({ 200: { hasTerminal: false } });
    expect(await seenBy(({ terminal }) => terminal.ask('?'))).toBeNull();
  });

  it('is cancelled when the helper is gone', async () => {
    const aborted = Promise.withResolvers<void>();
    const path = await serve(async (_, { signal }) => {
      signal.addEventListener('abort', () => aborted.resolve());
      await aborted.promise;
      return { code: 0 };
    });
    const { send, socket, frame } = client(path);
    send(hello);
    await frame('welcome');
    socket.destroy();
    await aborted.promise;
  });

  it('ends with the refusal of what it threw, and nothing of an unexpected error’s text (rule: distinct-refusals)', async () => {
    const errors = [
      new BrokerError('a.b', 'no such thing', { reason: 'notFound', hint: 'look' }),
      new Error('s3cret'),
    ];
    const path = await serve(async () => {
      throw errors.shift();
    });
    const [first, second] = [client(path), client(path)];
    first.send(hello);
    await first.closed;
    expect(first.frames[1]).toEqual({
      kind: 'exit',
      code: 14,
      stderr: 'lanyard: no such thing\nhint: look\n',
    });
    second.send(hello);
    await second.closed;
    expect(second.frames[1]).toMatchObject({ code: 1 });
    expect(JSON.stringify(second.frames)).not.toContain('s3cret');
  });
});

it('says so where an answer is larger than a frame', async () => {
  const frames = await framesFrom(async () => ({ code: 0, stdout: 'x'.repeat(7 * 1024 * 1024) }));
  expect(frames[1]).toEqual({ kind: 'exit', code: 1, stderr: expect.stringContaining('too large') });
});

describe('a program', () => {
  const order = {
    command: '/bin/plugin',
    args: [],
    env: {},
    pass: [],
    cwd: null,
    terminal: false,
    maxBytes: 1024 * 1024,
    timeoutSeconds: 60,
  };
  const watch = { onStderr: () => undefined, onLapse: () => undefined, signal: new AbortController().signal };
  const runs = { ...hello, features: ['stderr', 'exit', 'run'] };

  it('is run by the helper, which is known by pid and start time', async () => {
    let outcome: RunOutcome | undefined;
    let process: unknown;
    const path = await serve(async (_, context) => {
      process = context.terminal.runner?.process;
      outcome = await context.terminal.runner?.run(order, watch);
      return { code: 0 };
    });
    const { send, frame, closed } = client(path);
    send(runs);
    const { id } = await frame('run');
    send({ kind: 'alive', id });
    const stdout = Buffer.alloc(1024 * 1024, 'ab').toString('base64');
    send({ kind: 'ran', id, outcome: { how: 'exited', code: 0, stdout } });
    await closed;
    expect(process).toEqual({ pid: 200, startTime: 's200' });
    expect(outcome?.how === 'exited' && outcome.stdout.reveal()).toBe('ab'.repeat(512 * 1024));
  });

  it('has ended before its helper is answered, also where the answer is there', async () => {
    const path = await serve(async (_, context) => {
      void context.terminal.runner?.run(order, watch);
      return { code: exitCodes.locked };
    });
    const { send, frame, frames, closed } = client(path);
    send(runs);
    const { id } = await frame('run');
    send({ kind: 'alive', id });
    for (let turns = 0; turns < 20; turns++) {
      await turn();
    }
    expect(frames.map(({ kind }) => kind)).toEqual(['welcome', 'run']);
    send({ kind: 'ran', id, outcome: { how: 'exited', code: 0, stdout: '' } });
    await closed;
    expect(frames.at(-1)).toMatchObject({ kind: 'exit', code: exitCodes.locked });
  });

  it('is not run by a helper whose mask is without it', async () => {
    expect(await seenBy(({ terminal }) => terminal.runner)).toBeNull();
  });

  it.each([
    ['two ends', 1, [{ kind: 'ran' }, { kind: 'ran' }]],
    ['the end of another run', 0, [{ kind: 'ran', id: 99 }]],
    ['more than was ordered', 0, [{ kind: 'ran', outcome: { how: 'exited', code: 0, stdout: large() } }]],
    ['base64 that is cut off', 0, [{ kind: 'ran', outcome: { how: 'exited', code: 0, stdout: 'YQ=' } }]],
    ['an outcome that is none', 0, [{ kind: 'ran', outcome: { how: 'lost' } }]],
  ])('is lost with a helper that tells %s, which gets one line and the end', async (_, good, lies) => {
    const outcomes: (string | undefined)[] = [];
    const path = await serve(async (_request, context) => {
      const { runner } = context.terminal;
      for (let times = 0; times < 2; times++) {
        outcomes.push((await runner?.run(order, watch))?.how);
      }
      return { code: 0, stdout: 'not for this one' };
    });
    const { send, socket, frame, frames, closed } = client(path);
    send(runs);
    const { id } = await frame('run');
    const told = { id, outcome: { how: 'exited', code: 0, stdout: '' } };
    socket.write(Buffer.concat(lies.map((lie) => encodeFrame({ ...told, ...lie }))));
    await closed;
    const exits = frames.filter(({ kind }) => kind === 'exit');
    expect(exits).toEqual([
      { kind: 'exit', code: 1, stderr: expect.stringContaining("can't read what the helper sent") },
    ]);
    expect(outcomes).toEqual([...Array(good).fill('exited'), ...Array(2 - good).fill('lost')]);
  });

  it.each([
    ['goes away', (socket: Socket) => socket.destroy()],
    ['sends what it may not, and keeps its side open', (socket: Socket) => socket.write(encodeFrame(hello))],
  ])('is lost with a helper that %s', async (_, act) => {
    const lost = Promise.withResolvers<unknown>();
    const path = await serve(async (_request, { terminal }) => {
      lost.resolve(await terminal.runner?.run(order, watch));
      return { code: 0 };
    });
    const { send, socket, frame } = client(path, { allowHalfOpen: true });
    send(runs);
    await frame('run');
    act(socket);
    expect(await lost.promise).toEqual({ how: 'lost' });
  });
});

function large(): string {
  return Buffer.alloc(1024 * 1024 + 1).toString('base64');
}

describe('versions', () => {
  it('answers a helper of N-1 in its version', async () => {
    const { send, frame } = client(await serve(answers, { min: 1, max: 2 }));
    send(hello);
    expect(await frame('welcome')).toMatchObject({ protocol: 1 });
  });

  it.each([
    ['the helper', { min: 2, max: 3 }, { min: 1, max: 1 }],
    ['the agent', { min: 1, max: 1 }, { min: 2, max: 3 }],
  ])('says that %s is too old', async (side, broker, helper) => {
    const frames = await framesFrom(answers, { ...hello, protocol: helper }, broker);
    expect(frames).toMatchObject([{ kind: 'exit', code: 18, stderr: expect.stringContaining(`${side} (`) }]);
    expect(frames[0]?.stderr).toMatch(new RegExp(`^lanyard: ${side} .* too old`));
  });
});

describe('a connection that was turned away', () => {
  it.each([
    ['an unknown door', { ...hello, door: 'none' }],
    ['a version that is none of the broker’s', { ...hello, protocol: { min: 8, max: 9 } }],
  ])('for %s gets no second try, also in the same piece of data', async (_, first) => {
    let calls = 0;
    const path = await serve(async () => {
      calls++;
      return { code: exitCodes.good };
    });
    const { socket, frames, closed } = client(path);
    socket.write(Buffer.concat([encodeFrame(first), encodeFrame(hello)]));
    await closed;
    expect([calls, frames.map(({ kind }) => kind)]).toEqual([0, ['exit']]);
  });
});

describe('a bad peer', () => {
  it('of another user is closed before a byte of it is read (rule: owner-only)', async () => {
    let called = false;
    peerUid = 1001;
    const frames = await framesFrom(async () => {
      called = true;
      return { code: 0 };
    });
    expect([frames, called]).toEqual([[], false]);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['half a hello', encodeFrame(hello).subarray(0, 20)],
  ])('that says %s is dropped when its time is over', async (_, said) => {
    const { socket, closed } = client(await serve(answers));
    socket.write(said);
    while (clock.pending === 0) {
      await turn();
    }
    clock.advance(5_000);
    await closed;
  });

  it('that announces a hello of 8 MiB is refused by its length alone (rule: bounded-input)', async () => {
    const path = await serve(answers);
    const start = Buffer.alloc(4 + 64 * 1024, 0x20);
    start.writeUInt32BE(8 * 1024 * 1024);
    const many = Array.from({ length: 100 }, () => client(path));
    for (const { socket } of many) {
      socket.write(start);
    }
    await Promise.all(many.map(({ frame }) => frame('exit')));
    expect(budget.held()).toBe(0);
  });

  it('whose hello isn’t whole holds no more than all may together, and others are served', async () => {
    budget = createFrameBudget(1024 * 1024);
    const path = await serve(answers);
    const part = Buffer.alloc(4 + 300 * 1024, 0x20);
    part.writeUInt32BE(400 * 1024);
    const many = Array.from({ length: 100 }, () => client(path));
    let ended = 0;
    for (const { socket, frame } of many) {
      void frame('exit').then(() => {
        ended += 1;
      });
      socket.write(part);
    }
    while (ended < 97) {
      expect(budget.held()).toBeLessThanOrEqual(1024 * 1024);
      await turn();
    }
    const { send, frame } = client(path);
    send(hello);
    expect(await frame('exit')).toMatchObject({ code: 0 });
    // What is left of the hundred still has its time.
    clock.advance(5_000);
    for (const { socket } of many) {
      socket.destroy();
    }
    while (budget.held() > 0) {
      await turn();
    }
  });

  it('holds nothing of what a frame that is none came with', async () => {
    const path = await serve(() => new Promise(() => undefined));
    const { socket, send, frame } = client(path, { allowHalfOpen: true });
    send(hello);
    await frame('welcome');
    const start = Buffer.alloc(4 + 64 * 1024, 0x20);
    start.writeUInt32BE(8 * 1024 * 1024);
    socket.write(start);
    while (budget.held() < start.length) {
      await turn();
    }
    socket.write(Buffer.alloc(8 * 1024 * 1024));
    await frame('exit');
    expect(budget.held()).toBe(0);
  });

  it.each([
    [false, 10_000, false],
    [true, 599_000, true],
    [true, 600_000, false],
  ])(
    'that takes nothing (at a terminal: %s) for %d ms is answered: %s; others are served meanwhile',
    async (hasTerminal, milliseconds, isAnswered) => {
      table = processes({ 200: { hasTerminal } });
      const large = 'x'.repeat(5 * 1024 * 1024);
      let first = true;
      const path = await serve(async () => {
        const stdout = first ? large : 'small';
        first = false;
        return { code: 0, stdout };
      });
      const slow = client(path);
      slow.socket.pause();
      slow.send(hello);
      while (first) {
        await turn();
      }
      const other = client(path);
      other.send(hello);
      await other.closed;
      expect(other.frames[1]).toMatchObject({ stdout: Buffer.from('small').toString('base64') });
      clock.advance(milliseconds);
      slow.socket.resume();
      await slow.closed;
      expect(slow.frames.some(({ kind }) => kind === 'exit')).toBe(isAnswered);
    },
  );

  it.each([
    ['a second hello', [encodeFrame(hello), encodeFrame(hello)]],
    ['an answer that nobody asked for', [encodeFrame({ kind: 'answer', id: 1, value: null })]],
    ['the end of a run that nobody ordered', [encodeFrame(hello), encodeFrame(ranNothing)]],
    ['a sign of life before its hello', [encodeFrame({ kind: 'alive', id: 1 })]],
    ['an unknown kind', [encodeFrame({ kind: 'dance' })]],
    ['not UTF-8', [Buffer.from([0, 0, 0, 2, 0xff, 0xfe])]],
    ['a length of 4 GiB', [Buffer.from([0xff, 0xff, 0xff, 0xff])]],
  ])('that sends %s gets one line and the end', async (_, bytes) => {
    const path = await serve(
      (_request, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    const { socket, frames, closed } = client(path);
    for (const piece of bytes) {
      socket.write(piece);
    }
    await closed;
    expect(frames.filter(({ kind }) => kind === 'exit')).toEqual([
      { kind: 'exit', code: 1, stderr: expect.stringContaining("can't read what the helper sent") },
    ]);
  });
});

describe('the socket file', () => {
  // A pipe has no file; whom it lets in: native-helper/windows.
  it.skipIf(onWindows)(
    'is for its owner alone, takes a dead one’s place, and is gone at the end',
    async () => {
      await writeFile(join(folder, 'sock'), '');
      const path = await serve(answers);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      await server?.dispose();
      server = null;
      await expect(stat(path)).rejects.toThrow('ENOENT');
    },
  );
});
