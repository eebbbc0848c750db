import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../main/platform/logging/create-log.ts';
import { loadAddon } from '../../main/platform/native/addon.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { isLong } from '../support/long.ts';
import { start } from '../support/processes.ts';
import { startOnTerminal } from '../support/pty.ts';
import { until } from '../support/stage.ts';

/** A log that nobody reads, that is too slow, or that is flooded: the broker goes on. */

const addon = loadAddon(join(import.meta.dirname, '..', '..', 'dist', 'native', 'lanyard.node'));
const none = constants.O_NONBLOCK;
/** Milliseconds, after which the writer hangs. */
const hang = 60_000;

let folder: string;
let home: TestHome;
let descriptors: number[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ly-log-'));
  home = makeHome();
  home.writeConfig({ version: 1 });
  descriptors = [];
});
afterEach(() => {
  for (const descriptor of descriptors) {
    closeSync(descriptor);
  }
  home.dispose();
  rmSync(folder, { recursive: true, force: true });
});

function opened(path: string, flags: string | number): number {
  const descriptor = openSync(path, flags, 0o600);
  descriptors.push(descriptor);
  return descriptor;
}

/** A pipe that takes nothing more, whose end for programs blocks, as any program's. */
function fullPipe(): { path: string; end: number; read(): string } {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', ['-m', '600', path]);
  const reader = opened(path, constants.O_RDONLY | none);
  const filler = opened(path, constants.O_WRONLY | none);
  for (const size of [65_536, 1]) {
    try {
      for (;;) {
        writeSync(filler, '.'.repeat(size));
      }
    } catch {
      // EAGAIN: it is full.
    }
  }
  const end = opened(path, constants.O_WRONLY);
  let text = '';
  const read = () => {
    const bytes = Buffer.alloc(65_536);
    try {
      for (let count = 1; count > 0; ) {
        count = readSync(reader, bytes);
        text += bytes.toString('utf8', 0, count);
      }
    } catch {
      // Nothing is in it now.
    }
    return text;
  };
  return { path, end, read };
}

const linesIn = (text: string) =>
  text
    .replace(/^\.+/, '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** What is logged to a descriptor, by the writer that the broker has. */
function openOn(descriptor: number) {
  const writer = addon.openLogWriter(descriptor);
  return { writer, log: createLog({ write: (line) => writer.write(line) }) };
}

describe.runIf(process.platform === 'linux')('what is logged', () => {
  test('is in a file when the call returns', () => {
    const path = join(folder, 'log');
    const { log } = openOn(opened(path, 'a'));
    // Each call waits for a few milliseconds alone, which a busy machine may take to wake the writer. One of many is enough.
    const isThere = (number: number) => {
      log.info('line', { number });
      return linesIn(readFileSync(path, 'utf8')).at(-1)?.number === number;
    };
    expect(Array.from({ length: 2_000 }, (_, number) => number).some(isThere)).toBe(true);
  });

  test('to a full pipe blocks nothing; the newest lines are kept, and the others counted', async () => {
    const pipe = fullPipe();
    const { log, writer } = openOn(pipe.end);
    const total = 20_000;
    for (let number = 0; number < total; number++) {
      log.info('line', { number });
    }
    expect(writer.flush(0)).toBe(false);
    await until(() => (pipe.read().includes(`"number":${total - 1}`) ? true : null), 'the last line');
    const lines = linesIn(pipe.read());
    // Each count stands where its lines would: once, or twice where the writer began late.
    let next = 0;
    const misplaced = lines.filter(({ msg, lines: dropped, number }) => {
      next += msg === 'log.dropped' ? dropped : 1;
      return msg === 'line' && number !== next - 1;
    });
    expect([next, misplaced]).toEqual([total, []]);
    const kept = lines.filter(({ msg }) => msg === 'line');
    expect(kept.length).toBeGreaterThan(1_000);
    expect(kept.length).toBeLessThan(total);
    expect(writer.flush(hang)).toBe(true);
  });

  test('to a disk that is full ends nothing', () => {
    const { log, writer } = openOn(opened('/dev/full', 'w'));
    log.info('one');
    log.info('two');
    expect(writer.flush(hang)).toBe(true);
  });

  test('is kept in a file and the one before it, each small', () => {
    const path = join(folder, 'log');
    const { log, writer } = openOn(opened(path, 'a'));
    writer.keepSmall(path, `${path}.earlier`, 10_000);
    for (let number = 0; number < 1_000; number++) {
      log.info('line', { number });
      writer.flush(hang);
    }
    const [earlier, now] = [`${path}.earlier`, path].map((file) => readFileSync(file, 'utf8'));
    expect(linesIn(`${earlier}${now}`).at(-1)).toMatchObject({ number: 999 });
    // A line more than the limit.
    expect([earlier, now].every((text) => text !== undefined && text.length < 10_200)).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('goes unchanged to a file of the user’s', () => {
    const [own, path] = [join(folder, 'own'), join(folder, 'log')];
    writeFileSync(path, '');
    const { log, writer } = openOn(opened(own, 'a'));
    writer.keepSmall(path, `${path}.earlier`, 1_000);
    for (let number = 0; number < 100; number++) {
      log.info('line', { number });
    }
    writer.flush(hang);
    expect(linesIn(readFileSync(own, 'utf8'))).toHaveLength(100);
    expect(readFileSync(path, 'utf8')).toBe('');
  });

  test('goes on in the file that it has where no other can be begun', () => {
    const path = join(folder, 'log');
    const { log, writer } = openOn(opened(path, 'a'));
    writer.keepSmall(path, join(folder, 'no', 'folder'), 1_000);
    for (let number = 0; number < 100; number++) {
      log.info('line', { number });
    }
    writer.flush(hang);
    expect(linesIn(readFileSync(path, 'utf8'))).toHaveLength(100);
  });

  test('begins a new file where the old one was removed, and never through a link', () => {
    const path = join(folder, 'log');
    const { log, writer } = openOn(opened(path, 'a'));
    writer.keepSmall(path, `${path}.earlier`, 1_000);
    log.info('first');
    writer.flush(hang);
    rmSync(path);
    writeFileSync(join(folder, 'theirs'), 'x');
    symlinkSync(join(folder, 'theirs'), path);
    for (let number = 0; number < 100; number++) {
      log.info('line', { number });
      writer.flush(hang);
    }
    expect(readFileSync(join(folder, 'theirs'), 'utf8')).toBe('x');
    rmSync(path);
    for (let number = 0; number < 1_000; number++) {
      log.info('line', { number });
      writer.flush(hang);
    }
    expect(linesIn(readFileSync(path, 'utf8')).at(-1)).toMatchObject({ number: 999 });
    expect(readFileSync(path, 'utf8').length).toBeLessThan(70_000);
  });
});

describe.runIf(process.platform === 'linux')('a broker', () => {
  const agentArgs = () => ['agent', '--passphrase-file', home.write('passphrase', 'of the test of logs\n')];
  const answers = () =>
    until(async () => {
      const done = await home.lanyard(['status', '--json']);
      return done.code === 0 ? JSON.parse(done.stdout) : null;
    }, 'an answer');

  /** Bytes that are no frame, on so many connections. */
  async function badFrames(count: number): Promise<void> {
    const one = () =>
      new Promise<void>((resolve) => {
        const socket = connect(home.file('socket'), () => socket.end(Buffer.from('not a frame at all')));
        socket.on('error', () => undefined);
        socket.on('close', () => resolve());
        socket.resume();
      });
    for (let sent = 0; sent < count; sent += 20) {
      await Promise.all(Array.from({ length: 20 }, one));
    }
  }

  test('answers while its terminal is stopped by Ctrl-S, and tells all once it goes on', async () => {
    const terminal = startOnTerminal(builtHelper, agentArgs(), { env: home.env });
    try {
      await terminal.waitForText('agent.listening');
      terminal.send('\x13');
      // What is typed is echoed until the terminal has taken the Ctrl-S.
      let silent = 0;
      await until(async () => {
        const before = terminal.shown();
        terminal.send('.');
        await answers();
        silent = terminal.shown() === before ? silent + 1 : 0;
        return silent === 3 ? true : null;
      }, 'the terminal to stop');
      await badFrames(20);
      await answers();
      expect(terminal.shown()).not.toContain('connection.frame');
      terminal.send('\x11');
      await terminal.waitForText('connection.frame');
      terminal.send('\x03');
      await terminal.waitForText('agent.stopping');
      expect((await terminal.ended).code).toBe(0);
    } finally {
      await terminal.dispose();
    }
  });

  test('starts, answers and ends without a reader of its stderr, and keeps its last words', async () => {
    const pipe = fullPipe();
    const agent = start(builtHelper, agentArgs(), { env: home.env, stderr: pipe.end });
    try {
      await answers();
      await badFrames(20);
      await answers();
      agent.kill('SIGTERM');
      const reading = setInterval(() => pipe.read(), 10);
      const { code } = await agent.ended;
      clearInterval(reading);
      expect(code).toBe(0);
      const said = linesIn(pipe.read()).map(({ msg }) => msg);
      expect(said).toContain('agent.listening');
      expect(said).toContain('agent.stopping');
    } finally {
      await agent.dispose();
    }
  });

  test('notes few of many bad frames, and begins a new log when it is large', async () => {
    // 100 are noted at once, then one a second.
    const frames = isLong ? 2_000 : 300;
    const path = home.file('log');
    writeFileSync(path, 'x'.repeat(5 * 1024 * 1024), { mode: 0o600 });
    const agent = start(builtHelper, agentArgs(), { env: home.env, stderr: opened(path, 'a') });
    try {
      await answers();
      await badFrames(frames);
      await answers();
      agent.kill('SIGTERM');
      await agent.ended;
      const log = readFileSync(path, 'utf8');
      expect(statSync(home.file('earlierLog')).size).toBeGreaterThanOrEqual(5 * 1024 * 1024);
      const noted = log.split('connection.frame').length - 1;
      expect(noted).toBeGreaterThan(0);
      expect(noted).toBeLessThan(frames);
      expect(log).toContain('agent.stopping');
    } finally {
      await agent.dispose();
    }
    expect(existsSync(home.file('socket'))).toBe(false);
  });
});
