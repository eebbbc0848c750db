import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunAsRoot } from '../../app/updates/install-as-root.ts';
import { setUpdatesStage, type UpdatesStage } from '../support/updates-stage.ts';

const still = new AbortController().signal;

let stage: UpdatesStage;
let tools: string;
/** Done while the person types their password. */
let meanwhile: () => void;
let asked: (readonly string[])[];

/** As `pkexec` runs it, without the password: the same words and the same stdin, with package managers that only note. */
const withoutPassword: RunAsRoot = async (words, stdin) => {
  asked.push(words);
  meanwhile();
  const [program, ...args] = words;
  const env = { PATH: `${tools}:/usr/bin:/bin`, NOTES: stage.home };
  const { status, stderr } = spawnSync(program, args, {
    stdio: [stdin, 'ignore', 'pipe'],
    env,
    timeout: 10_000,
  });
  return { code: status, said: String(stderr) };
};

beforeEach(async () => {
  stage = await setUpdatesStage();
  tools = join(stage.home, 'tools');
  mkdirSync(tools);
  meanwhile = () => undefined;
  asked = [];
});
afterEach(() => stage.dispose());

/** A package manager that keeps its words, the package, and who may reach it. */
function manager(name: string, exit = 0): void {
  const lines = [
    '#!/bin/sh',
    `echo "${name} $*" >>"$NOTES/words"`,
    'for last in "$@"; do :; done',
    'if [ -f "$last" ]; then cp "$last" "$NOTES/package"; stat -c %a "$(dirname "$last")" >"$NOTES/mode"; fi',
    `exit ${exit}`,
  ];
  writeFileSync(join(tools, name), lines.join('\n'));
  chmodSync(join(tools, name), 0o755);
}
const notes = (name: string) => readFileSync(join(stage.home, name), 'utf8');
const leftovers = () => readdirSync('/var/tmp').filter((name) => name.startsWith('lanyard-update.'));

async function fetched(kind: 'deb' | 'rpm') {
  writeFileSync(join(stage.resources, 'package-type'), kind);
  const packageName = `lanyard_1.1.0.${kind}`;
  const content = stage.feed.offer({ version: '1.1.0', key: stage.key.privateKey, packageName });
  const updates = stage.start({ runAsRoot: withoutPassword });
  await updates.check(still);
  await updates.fetch(still);
  return { updates, content, path: join(stage.home, 'updates/lanyard-updater/pending', packageName) };
}

describe('a Linux package', () => {
  it.each([
    ['deb', 'dpkg', /^dpkg -i \S+\/lanyard\.deb$/m],
    ['rpm', 'zypper', /^zypper .*install .*\/lanyard\.rpm$/m],
  ] as const)('%s is given to %s from where only root can change it', async (kind, name, words) => {
    manager(name);
    const { updates, content } = await fetched(kind);
    await updates.install();
    expect(notes('words')).toMatch(words);
    expect(notes('mode')).toBe('700\n');
    expect(readFileSync(join(stage.home, 'package'))).toEqual(content);
    // Root is told of no path of the person's.
    expect(asked.flat().join(' ')).not.toContain(stage.home);
    expect([stage.ends, stage.standIn.app.exitCode]).toEqual([1, 0]);
    expect(stage.standIn.app.relaunched).toEqual({ args: [] });
    expect(leftovers()).toEqual([]);
  });

  it.each<[string, (content: Buffer) => Buffer]>([
    ['another program writes into', (content) => Buffer.alloc(content.length, 'x')],
    ['is cut short', (content) => content.subarray(0, 1_000)],
  ])('that %s while the password is typed is not installed', async (_, change) => {
    manager('dpkg');
    const { updates, path, content } = await fetched('deb');
    meanwhile = () => writeFileSync(path, change(content));
    await expect(updates.install()).rejects.toMatchObject({ code: 'update.otherFile' });
    expect(existsSync(join(stage.home, 'words'))).toBe(false);
    expect([stage.ends, stage.standIn.app.relaunched]).toEqual([0, null]);
    expect(leftovers()).toEqual([]);
  });

  it('that needs what isn’t there has apt fetch it; one that still fails leaves the app as it is', async () => {
    manager('dpkg', 1);
    manager('apt-get');
    const { updates } = await fetched('deb');
    await updates.install();
    expect(notes('words')).toMatch(/^dpkg -i .*\napt-get install -f -y\n$/);
    expect(stage.ends).toBe(1);
    manager('apt-get', 100);
    await expect(updates.install()).rejects.toMatchObject({ code: 'update.notInstalled' });
    expect(stage.ends).toBe(1);
    expect(leftovers()).toEqual([]);
  });

  it('is not installed if the user doesn’t give their password', async () => {
    const { updates } = await fetched('deb');
    const refusing = stage.start({ runAsRoot: async () => ({ code: 126, said: 'dismissed' }) });
    await refusing.check(still);
    await refusing.fetch(still);
    await expect(refusing.install()).rejects.toMatchObject({ code: 'update.notInstalled' });
    expect([stage.ends, updates.view()]).toEqual([0, { kind: 'ready', version: '1.1.0' }]);
  });
});

it('an app that is no AppImage started from a terminal that is one updates nothing in its place', async () => {
  const terminal = join(stage.home, 'Terminal.AppImage');
  writeFileSync(terminal, 'the terminal');
  stage.feed.offer({ version: '1.1.0', key: stage.key.privateKey });
  const env = { APPIMAGE: terminal, APPDIR: '/tmp/.mount_Terminal' };
  expect(stage.start({ env }).view()).toEqual({ kind: 'off' });
  expect(readFileSync(terminal, 'utf8')).toBe('the terminal');
});
