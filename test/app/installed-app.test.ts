import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type InstalledApp, installApp } from '../support/electron/installed-app.ts';
import { makeHome, type TestHome } from '../support/home.ts';
import { ordinaryUser, whyNoOrdinaryUser } from '../support/ordinary-user.ts';
import { type Ended, type Running, run, start } from '../support/processes.ts';
import { until } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

/*
 * An installed app, driven by its real helper. What Electron itself does is not shown here: that it leaves a program
 * alone that has not become ready, and that its switches keep Chromium from looking for a screen.
 */

let home: TestHome;
let app: InstalledApp;
/** The home that the person's own variables lead to: only there a helper starts a broker by itself. */
let data: string;
let env: Record<string, string | undefined>;
const started: Running[] = [];
const pids: number[] = [];
/** What `lanyard doctor` said before anything ever ran here. */
let before: Ended;
/** A broker that once ran here, so that the home has its helper and its start.json. */
let first: Ended;

beforeAll(async () => {
  home = makeHome();
  const folder = join(home.outside, 'app');
  await mkdir(folder);
  app = installApp(folder);
  data = join(home.env['XDG_DATA_HOME'] ?? '', 'lanyard');
  env = { ...home.env, LANYARD_HOME: undefined };
  before = await lanyard(['doctor']);
  const broker = agent();
  broker.closeInput();
  await broker.waitForLine(/"agent\.listening"/);
  broker.kill('SIGINT');
  first = await broker.ended;
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((each) => each.dispose()));
  for (const pid of pids.splice(0)) {
    await end(pid);
  }
});
afterAll(() => home?.dispose());

/** A person's helper: the installed app's own. */
const lanyard = (args: string[], more: Record<string, string> = {}): Promise<Ended> =>
  run(app.helper, args, { env: { ...env, ...more } });

function agent(args: string[] = [], more: Record<string, string> = {}): Running {
  const running = start(app.helper, ['agent', ...args], { env: { ...env, ...more } });
  started.push(running);
  return running;
}

/** What asks finds no broker: the helper starts one, and this tells its pid. */
async function ask(more: Record<string, string>): Promise<number> {
  const [program = '', ...words] = [...ordinaryUser, app.helper, 'status', '--json'];
  const asked = await run(program, words, { env: { ...env, ...more } });
  expect(asked.code, asked.stderr).toBe(0);
  const { pid } = JSON.parse(asked.stdout).broker as { pid: number };
  pids.push(pid);
  return pid;
}

async function end(pid: number): Promise<void> {
  await until(() => {
    try {
      process.kill(pid, 'SIGTERM');
      return null;
    } catch {
      return true;
    }
  }, `the end of ${pid}`);
}

const log = () => readFileSync(join(data, 'agent.log'), 'utf8');

/** A broker with a vault: there is no keychain here. */
async function withPassphrase(): Promise<Running> {
  const line = 'printf "a good passphrase\\n" | "$0" agent --passphrase-file /dev/stdin';
  const running = start('/bin/sh', ['-c', line, app.helper], { env });
  started.push(running);
  await running.waitForLine(/"agent\.listening"/);
  return running;
}

describe('an installed app', () => {
  it('runs as lanyard agent before it was ever opened, without a display, and tells the home its own file', async () => {
    // Nothing but the log is said, and that not on stdout; Ctrl-C is a good end.
    expect(first).toMatchObject({ code: 0, stdout: '' });
    const { program } = app;
    expect(JSON.parse(readFileSync(join(data, 'start.json'), 'utf8'))).toEqual({
      version: 1,
      command: [program, '--ozone-platform=headless', '--no-sandbox', '--no-zygote', 'agent'],
      desktop: [program, '--hidden'],
    });
    expect(readFileSync(join(data, 'bin', 'lanyard')).equals(readFileSync(app.helper))).toBe(true);
  });

  it(
    'is started by a request with its tray where there is a display, and alone elsewhere',
    unless(whyNoOrdinaryUser),
    async () => {
      const withTray = await ask({ DISPLAY: ':9' });
      await until(() => log().includes('"app.ready"') || null, 'the app');
      expect(log()).not.toContain('"agent.listening"');
      await end(withTray);
      await ask({ DISPLAY: '' });
      await until(() => log().includes('"agent.listening"') || null, 'the broker alone');
    },
  );

  it('is what lanyard agent runs, with the user’s display and through a link', async () => {
    const typed = start(join(data, 'bin', 'lanyard'), ['agent'], { env: { ...env, DISPLAY: ':9' } });
    started.push(typed);
    await typed.waitForLine(/"agent\.listening"/);
    const second = await lanyard(['agent']);
    expect([second.code, second.stderr]).toEqual([2, expect.stringContaining('an agent already runs for')]);
    typed.kill('SIGTERM');
    expect((await typed.ended).code).toBe(0);
  });

  it('says what is wrong with its arguments, with the code for it', async () => {
    const wrong = await lanyard(['agent', '--no-sandbox']);
    expect([wrong.code, wrong.stdout, wrong.stderr]).toEqual([
      2,
      '',
      expect.stringContaining('lanyard: agent:'),
    ]);
  });

  it('checks without a broker', async () => {
    expect(before.stdout).toContain('no agent is running');
    const after = await lanyard(['doctor', '--json'], { LANYARD_NO_START: '1' });
    const findings = JSON.parse(after.stdout) as { findings: { check: string; level: string }[] };
    expect(findings.findings.filter(({ check }) => check === 'home.start')).toMatchObject([{ level: 'ok' }]);
  });

  it('is started at login without windows, until that is undone', async () => {
    const unit = join(home.env['XDG_CONFIG_HOME'] ?? '', 'systemd/user/lanyard.service');
    expect((await lanyard(['agent', '--install'])).code).toBe(0);
    expect(readFileSync(unit, 'utf8')).toContain(
      `ExecStart="${app.program}" "--ozone-platform=headless" "--no-sandbox" "--no-zygote" "agent"\n`,
    );
    expect((await lanyard(['agent', '--uninstall'])).code).toBe(0);
    expect(existsSync(unit)).toBe(false);
  });

  it('takes a passphrase from a pipe, and leaves with its helper and its start.json when it is uninstalled', async () => {
    const running = await withPassphrase();
    expect(existsSync(join(data, 'vault'))).toBe(true);
    const done = await lanyard(['uninstall', '--yes']);
    expect(done.code, done.stderr).toBe(0);
    await running.ended;
    expect([existsSync(join(data, 'start.json')), existsSync(join(data, 'bin'))]).toEqual([false, false]);
  });
});
