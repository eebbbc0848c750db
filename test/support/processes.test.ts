import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Disposables } from '../../main/base/disposables.ts';
import { residentBytes } from './agent.ts';
import { makeHome } from './home.ts';
import { run, start } from './processes.ts';
import { quoteForShell, startOnTerminal } from './pty.ts';

let opened: Disposables;
beforeEach(() => {
  opened = new Disposables();
});
afterEach(() => opened.dispose());

describe('programs of the tests', () => {
  it('end with their code, output and input, in the given environment alone', async () => {
    vi.stubEnv('LANYARD_TEST_LEAK', 'leaked');
    const script = 'cat; echo "$A $LANYARD_TEST_LEAK." >&2; exit 3';
    const ended = await run('sh', ['-c', script], { input: 'in', env: { A: 'a' } });
    expect(ended).toMatchObject({ code: 3, signal: null, stdout: 'in', stderr: 'a .\n', timedOut: false });
  });

  it('are killed with their children when their time is over', async () => {
    // The child holds stdout open: without its end there would be none of the run.
    const ended = await run('sh', ['-c', 'sleep 1000 & wait'], { timeoutMilliseconds: 200 });
    expect(ended).toMatchObject({ signal: 'SIGKILL', timedOut: true });
  });

  it('are waited for by what they say', async () => {
    const program = opened.add(start('sh', ['-c', 'echo a; echo "ready 42" >&2; exec sleep 1000']));
    expect((await program.waitForLine(/^ready (\d+)$/))[1]).toBe('42');
    // Of this process, whose memory Node.js reads by itself.
    expect(residentBytes(process.pid) / process.memoryUsage().rss).toBeCloseTo(1, 0);
    await expect(program.waitForLine(/never/, 50)).rejects.toThrow('ready 42');
    program.kill();
    expect(await program.ended).toMatchObject({ signal: 'SIGTERM' });
    await expect(program.waitForLine(/never/)).rejects.toThrow('ended first');
    await expect(run('/no/such/program')).rejects.toThrow('could not be started');
  });
});

describe('terminals of the tests', () => {
  it('type, echo, hide and tell the exit code', async () => {
    const script =
      'tty; printf "name: "; read n; stty -echo; printf "word: "; read w; echo "[$n][$w][$1]"; exit 5';
    const terminal = opened.add(startOnTerminal('sh', ['-c', script, 'sh', `it's $HOME "\\`]));
    await terminal.waitForText('name: ');
    terminal.send('one two\r');
    await terminal.waitForText(/word: /);
    terminal.send('hidden\r');
    expect(await terminal.ended).toMatchObject({ code: 5 });
    expect(terminal.shown()).toMatch(/^\/dev\//);
    expect(terminal.shown()).toContain('name: one two');
    expect(terminal.shown()).toContain(`word: [one two][hidden][it's $HOME "\\]`);
  });

  it('interrupt with Ctrl-C', async () => {
    const terminal = opened.add(startOnTerminal('sh', ['-c', 'echo ready; exec sleep 1000']));
    await terminal.waitForText('ready');
    terminal.send('\x03');
    expect((await terminal.ended).code).toBe(130);
  });

  it('quote any word for a shell', async () => {
    const word = `a'b"c$d\`e\\f\n*`;
    expect((await run('sh', ['-c', `printf %s ${quoteForShell(word)}`])).stdout).toBe(word);
  });
});

describe('homes of the tests', () => {
  it('are private, short of path, and gone afterwards', () => {
    const home = makeHome();
    home.writeConfig({ version: 1 });
    const secret = home.write('word', 'x');
    expect(statSync(home.path).mode & 0o777).toBe(0o700);
    expect(statSync(home.outside).mode & 0o777).toBe(0o700);
    expect(statSync(secret).mode & 0o777).toBe(0o600);
    expect(home.file('config')).toBe(join(home.path, 'config.yaml'));
    expect(home.file('socket').length).toBeLessThan(60);
    home.dispose();
    expect(existsSync(home.outside)).toBe(false);
  });
});
