import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { folderForTest } from '../../support/temporary-folder.ts';

/*
 * The scripts of deb and rpm, run by sh with every absolute path led into a folder: what they find there is the
 * system. AppArmor's parser is a stub; that it takes the profile is Ubuntu's to show.
 */

const scripts = join(import.meta.dirname, '..', '..', '..', 'app', 'package', 'linux');
let root: string;

beforeEach(() => {
  root = folderForTest();
  put('opt/Lanyard/lanyard-desktop', '', 0o755);
  put('opt/Lanyard/chrome-sandbox', '', 0o755);
  put('opt/Lanyard/resources/apparmor-profile', 'profile');
  mkdirSync(join(root, 'usr', 'bin'), { recursive: true });
});

function put(path: string, text: string, mode = 0o644) {
  const file = join(root, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
}

function run(name: string, words: readonly string[] = []) {
  const text = readFileSync(join(scripts, name), 'utf8')
    .replaceAll(/\$\{executable\}/g, 'lanyard-desktop')
    .replaceAll(/\$\{sanitizedProductName\}/g, 'Lanyard')
    .replaceAll(/(?<![\w.$"}])\/(opt|usr|etc|proc\/sys)\//g, `${root}/$1/`)
    .replaceAll('"/proc/sys/', `"${root}/proc/sys/`);
  return spawnSync('sh', ['-c', text, 'script', ...words], {
    encoding: 'utf8',
    env: { PATH: `${root}/stubs:/usr/bin:/bin` },
  });
}

const sandboxMode = () => statSync(join(root, 'opt/Lanyard/chrome-sandbox')).mode & 0o7777;

function withAppArmor(takesProfile: boolean) {
  mkdirSync(join(root, 'etc', 'apparmor.d'), { recursive: true });
  put('stubs/apparmor_parser', `#!/bin/sh\nexit ${takesProfile ? 0 : 1}\n`, 0o755);
}

describe.runIf(process.platform === 'linux')('after an install', () => {
  it.each([
    ['a kernel that lets everybody have user namespaces', {}, null, 0o755],
    ['Debian’s switch off', { 'kernel/unprivileged_userns_clone': 0 }, null, 0o4755],
    ['Debian’s switch on', { 'kernel/unprivileged_userns_clone': 1 }, null, 0o755],
    ['no user namespaces at all', { 'user/max_user_namespaces': 0 }, null, 0o4755],
    [
      'an AppArmor that takes the profile',
      { 'kernel/apparmor_restrict_unprivileged_userns': 1 },
      true,
      0o755,
    ],
    ['an AppArmor that doesn’t', { 'kernel/apparmor_restrict_unprivileged_userns': 1 }, false, 0o4755],
  ] as const)('the sandbox fits %s', (_name, settings, takesProfile, mode) => {
    for (const [path, value] of Object.entries(settings)) {
      put(`proc/sys/${path}`, `${value}\n`);
    }
    if (takesProfile !== null) {
      withAppArmor(takesProfile);
    }
    expect(run('after-install.sh')).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(sandboxMode().toString(8)).toBe(mode.toString(8));
    expect(existsSync(join(root, 'etc/apparmor.d/lanyard-desktop'))).toBe(takesProfile === true);
  });

  it.each([
    ['dpkg’s remove', ['remove'], false],
    ['dpkg’s upgrade', ['upgrade', '2.0.0'], true],
    ['rpm’s last one', ['0'], false],
    ['rpm’s upgrade', ['1'], true],
  ] as const)('%s: what the scripts made goes only with the app', (_name, words, stays) => {
    withAppArmor(true);
    run('after-install.sh');
    expect(lstatSync(join(root, 'usr/bin/lanyard-desktop')).isSymbolicLink()).toBe(true);
    expect(run('after-remove.sh', words)).toMatchObject({ status: 0, stdout: '', stderr: '' });
    const link = lstatSync(join(root, 'usr/bin/lanyard-desktop'), { throwIfNoEntry: false });
    expect(link !== undefined).toBe(stays);
    expect(existsSync(join(root, 'etc/apparmor.d/lanyard-desktop'))).toBe(stays);
  });
});
