import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { talk } from '../support/dialog.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { run } from '../support/processes.ts';
import { startOnTerminal } from '../support/pty.ts';

let home: TestHome;
let agent: TestAgent;
/** The person's own folder. */
let user: string;

async function begin(): Promise<void> {
  home = makeHome();
  user = home.env['HOME'] ?? '';
  await mkdir(join(user, '.config', 'fish'), { recursive: true });
  await writeFile(join(user, '.config', 'fish', 'config.fish'), '# mine\n');
  agent = await startAgent({ home, passphrase: 'a good passphrase' });
}
async function end(): Promise<void> {
  await agent.dispose();
  home.dispose();
}

/** Everything in the person's folder: names, kinds, modes, contents. */
function snapshot(): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(user, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(user, name);
    const stats = lstatSync(path);
    found[name] = stats.isSymbolicLink()
      ? `link ${readlinkSync(path)}`
      : stats.isDirectory()
        ? `folder ${stats.mode}`
        : `file ${stats.mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`;
  }
  return found;
}

const install = (...args: string[]) => home.lanyard(['install', ...args], { env: { SHELL: '/bin/zsh' } });
const uninstall = (...args: string[]) => home.lanyard(['uninstall', ...args]);
const page = () => join(user, '.local/share/man/man1/lanyard.1');
const link = (name: string) => join(user, '.local/bin', name);

describe('lanyard install', () => {
  beforeEach(begin);
  afterEach(end);

  test('puts the helper on the user’s PATH under its names, with the manual page; again it changes nothing', async () => {
    const done = await install();
    expect([done.code, done.stdout.includes('FAILED')], done.stdout + done.stderr).toEqual([0, false]);
    for (const name of [
      'lanyard',
      'kubectl-lanyard',
      'kubectl_complete-lanyard',
      'docker-credential-lanyard',
    ]) {
      expect(readlinkSync(link(name))).toBe(home.file('helper'));
    }
    expect((await run(link('lanyard'), ['status'], { env: home.env })).code).toBe(0);
    const stored = await run(link('docker-credential-lanyard'), ['list'], { env: home.env });
    expect([stored.code, stored.stdout]).toEqual([0, '{}\n']);
    expect(readFileSync(page(), 'utf8')).toBe(readFileSync('docs/lanyard.1', 'utf8'));
    // SHELL says zsh; the other shells count where they are on PATH.
    const zsh = readFileSync(join(user, '.local/share/zsh/site-functions/_lanyard'), 'utf8');
    expect(zsh).toBe((await home.lanyard(['completion', 'zsh'])).stdout);
    expect(zsh).toMatch(/^#compdef lanyard/);
    expect(done.stderr).toContain(`${join(user, '.local/bin')} is not on your PATH`);
    const before = snapshot();
    const again = await install();
    expect([again.code, snapshot()]).toEqual([0, before]);
    const onPath = await home.lanyard(['install'], {
      env: { PATH: `${join(user, '.local/bin')}/:/usr/bin` },
    });
    expect(onPath.stderr).not.toContain('is not on your PATH');
  });

  test('--dry-run makes nothing; --into chooses the folder', async () => {
    const before = snapshot();
    const dry = await install('--dry-run', '--into', 'here');
    expect([dry.code, snapshot()]).toEqual([0, before]);
    const done = await home.lanyard(['install', '--into', 'here'], { cwd: home.outside });
    expect([done.code, readlinkSync(join(home.outside, 'here', 'lanyard'))]).toEqual([
      0,
      home.file('helper'),
    ]);
  });

  test('what isn’t Lanyard’s is left, and said', async () => {
    await mkdir(join(user, '.local/bin'), { recursive: true });
    await writeFile(link('lanyard'), 'another program');
    const done = await install();
    expect(done.code).toBe(13);
    expect(done.stdout).toContain(`${link('lanyard')}: a file that Lanyard didn’t make`);
    expect(readFileSync(link('lanyard'), 'utf8')).toBe('another program');
    expect(readlinkSync(link('kubectl-lanyard'))).toBe(home.file('helper'));
  });
});

describe('lanyard uninstall', () => {
  beforeEach(begin);
  afterEach(end);

  test('leaves the user’s folder byte for byte as it was, and what was edited since', async () => {
    const before = snapshot();
    const service = await run(builtHelper, ['agent', '--install'], { env: home.env });
    expect([service.code, service.stdout], service.stderr).toEqual([
      0,
      expect.stringContaining('started at login'),
    ]);
    expect((await install()).code).toBe(0);
    expect(Object.keys(snapshot())).toContain('.config/systemd/user/default.target.wants/lanyard.service');
    writeFileSync(page(), 'a page of mine\n');
    await home.lanyard(['kubeconfig', 'write']);

    const done = await uninstall('--yes');
    expect(done.code, done.stderr).toBe(0);
    expect(done.stderr).toContain(`left     ${page()}: it was changed since Lanyard made it`);
    expect(readFileSync(page(), 'utf8')).toBe('a page of mine\n');
    expect(await agent.ended).toMatchObject({ code: 0 });
    rmSync(join(user, '.local'), { recursive: true });
    expect(snapshot()).toEqual(before);
    // The vault, config and history are the person's to keep; what starts a broker is gone.
    expect(readdirSync(home.path).sort()).toEqual(
      expect.arrayContaining(['history.db', 'installed.json', 'vault']),
    );
    for (const name of ['start', 'helper', 'kubeconfig', 'socket'] as const) {
      expect(readdirSync(home.path)).not.toContain(home.file(name).slice(home.path.length + 1));
    }
  });

  test('done once more after a kill it finishes', async () => {
    const before = snapshot();
    await install();
    const under = home.lanyard(['uninstall', '--yes']);
    await agent.kill();
    await under;
    agent = await startAgent({ home, passphrase: 'a good passphrase' });
    expect((await uninstall('--yes')).code).toBe(0);
    await agent.ended;
    expect(snapshot()).toEqual(before);
  });

  test('--with-vault --with-config leaves nothing of Lanyard’s at all', async () => {
    home.writeConfig({ version: 1, accounts: { bot: { staticToken: {} } }, clusters: {} });
    await home.lanyard(['secret', 'set', 'bot'], { input: 'token' });
    await install();
    const done = await uninstall('--yes', '--with-vault', '--with-config');
    expect(done.code, done.stderr).toBe(0);
    expect(await agent.ended).toMatchObject({ code: 0 });
    expect(readdirSync(home.outside).sort()).toEqual(['passphrase', 'user']);
  });

  test('at a terminal it asks', async () => {
    await install();
    expect(await answered('y')).toBe(0);
  });
});

/** At a terminal: its exit code after this was typed. */
async function answered(answer: string): Promise<number | null> {
  const terminal = startOnTerminal(builtHelper, ['uninstall'], { env: { ...home.env, TERM: 'xterm' } });
  return (await talk(terminal, ['Uninstall Lanyard? [y/N]', answer])).code;
}

describe('lanyard uninstall does nothing', () => {
  let before: Record<string, string>;
  beforeAll(async () => {
    await begin();
    await install();
    before = snapshot();
  });
  afterAll(end);
  afterEach(() => expect([snapshot(), agent.isRunning()]).toEqual([before, true]));

  test('with --dry-run, which shows all, also as JSON', async () => {
    const shown = await uninstall('--dry-run');
    expect([shown.code, shown.stdout]).toEqual([
      0,
      expect.stringContaining(`remove    ${link('lanyard')}\n`),
    ]);
    expect(shown.stdout).toContain(`${home.file('vault')}: logins and secrets; --with-vault removes it, too`);
    const plan = JSON.parse((await uninstall('--dry-run', '--json')).stdout);
    expect(plan).toMatchObject({
      contexts: [],
      kubeconfigs: [],
      withVault: false,
      vaults: { files: expect.arrayContaining([home.file('vault')]) },
    });
  });

  test('without a terminal and without --yes', async () => {
    const done = await uninstall();
    expect([done.code, done.stderr]).toEqual([13, expect.stringContaining('lanyard uninstall --yes')]);
  });

  test.each(['', 'n'])('at a terminal, where No is the default (%j)', async (typed) => {
    expect(await answered(typed)).toBe(10);
  });

  test('where the vault is locked, because it may contain files as they were', async () => {
    await home.lanyard(['lock']);
    const done = await uninstall('--yes');
    expect([done.code, done.stderr]).toEqual([11, expect.stringContaining('lanyard unlock')]);
  });
});

describe('kubeconfigs that were edited in place', () => {
  const text = `# mine
apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://c.example.com"}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
users:
- name: u
  user: {token: the-token-of-u} # mine, too
`;
  const file = () => join(user, '.kube', 'config');

  afterEach(end);
  beforeEach(async () => {
    await begin();
    await mkdir(join(user, '.kube'));
    await writeFile(file(), text, { mode: 0o600 });
    const done = await home.lanyard(['kubeconfig', 'import', '--in-place', '--yes', file()]);
    expect(done.code, done.stderr).toBe(exitCodes.pending);
    expect(readFileSync(file(), 'utf8')).not.toContain('the-token-of-u');
  });

  test('KEP-541/kubeconfig-unchanged: are restored byte for byte, before the vault is removed', async () => {
    const done = await uninstall('--yes', '--with-vault');
    expect(done.code, done.stderr).toBe(0);
    expect(done.stderr).toContain(`restored ${file()}`);
    expect(readFileSync(file(), 'utf8')).toBe(text);
    await agent.ended;
    expect(readdirSync(home.path)).not.toContain('vault');
  });

  test('KEP-541/kubeconfig-unchanged: stay where they were changed since and there is no terminal, and with them helper and vault', async () => {
    const changed = `${readFileSync(file(), 'utf8')}# a line since\n`;
    writeFileSync(file(), changed);
    const done = await uninstall('--yes', '--with-vault');
    expect(done.code, done.stderr).toBe(13);
    expect(done.stderr).toContain(`left     ${file()}: it was changed since Lanyard edited it`);
    expect(readFileSync(file(), 'utf8')).toBe(changed);
    await agent.ended;
    expect(readdirSync(home.path)).toEqual(expect.arrayContaining(['bin', 'start.json', 'vault']));
  });
});

describe('lanyard agent --install', () => {
  beforeEach(begin);
  afterEach(end);

  test('writes a unit with the home and the passphrase file; --uninstall removes it', async () => {
    const before = snapshot();
    const file = join(home.outside, 'passphrase');
    const done = await run(builtHelper, ['agent', '--install', '--passphrase-file', 'passphrase'], {
      env: home.env,
      cwd: home.outside,
    });
    expect(done.code, done.stderr).toBe(0);
    const unit = readFileSync(join(user, '.config/systemd/user/lanyard.service'), 'utf8');
    const { command } = JSON.parse(readFileSync(home.file('start'), 'utf8'));
    const words = [...command, '--passphrase-file', file];
    expect(unit).toContain(`ExecStart=${words.map((word) => `"${word}"`).join(' ')}\n`);
    expect(unit).toContain(`Environment="LANYARD_HOME=${home.path}"\n`);
    expect((await run(builtHelper, ['agent', '--uninstall'], { env: home.env })).code).toBe(0);
    expect(snapshot()).toEqual(before);
  });

  test('wrong usage and an unreadable passphrase file are rejected before anything is written', async () => {
    const before = snapshot();
    for (const args of [
      ['--install', '--uninstall'],
      ['--install', '--passphrase-file', '/nowhere'],
    ]) {
      expect((await run(builtHelper, ['agent', ...args], { env: home.env })).code).toBe(2);
    }
    expect(snapshot()).toEqual(before);
  });
});
