import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLedger } from '../../main/installed/ledger.ts';
import { inOrder, removeEntry } from '../../main/installed/remove-entry.ts';
import { folderForTest } from '../../test/support/temporary-folder.ts';
import { unless } from '../../test/support/unless.ts';
import { createAutostart } from './autostart.ts';
import { autostartEntry, autostartPath } from './autostart-entry.ts';

let folder: string;
beforeEach(() => {
  folder = folderForTest();
});

const path = () => join(folder, 'config', 'autostart', 'lanyard.desktop');
const ledger = () => createLedger({ file: join(folder, 'installed.json'), alone: (work) => work() });
const made = (command: readonly string[] = ['/opt/lanyard/lanyard', '--hidden']) =>
  createAutostart({ path: path(), command, home: null, ledger: ledger(), now: () => 1 });

describe('starting at login on Linux', () => {
  it('is off, switched on and off again, with nothing left', async () => {
    const autostart = made();
    expect(autostart.isOn()).toBe(false);
    await autostart.set(true);
    expect(autostart.isOn()).toBe(true);
    await autostart.set(false);
    expect([autostart.isOn(), existsSync(path())]).toEqual([false, false]);
    for (const entry of inOrder(await ledger().entries())) {
      await removeEntry(entry, ledger());
    }
    expect(existsSync(join(folder, 'config'))).toBe(false);
  });

  it('is removed by uninstalling', async () => {
    await made().set(true);
    for (const entry of inOrder(await ledger().entries())) {
      expect(await removeEntry(entry, ledger())).toEqual({ kind: 'removed' });
    }
    expect([existsSync(join(folder, 'config')), await ledger().entries()]).toEqual([false, []]);
  });

  it('follows a program that moved', async () => {
    await made(['/old/lanyard', '--hidden']).set(true);
    await made(['/new/lanyard', '--hidden']).repair();
    expect(readFileSync(path(), 'utf8')).toContain('Exec="/new/lanyard" "--hidden"\n');
  });

  it('stays off where the user removed the entry, even after a repair', async () => {
    const autostart = made();
    await autostart.set(true);
    rmSync(path());
    expect(autostart.isOn()).toBe(false);
    await autostart.repair();
    expect([existsSync(path()), (await ledger().entries()).filter(({ kind }) => kind === 'file')]).toEqual([
      false,
      [],
    ]);
    await autostart.set(true);
    expect(autostart.isOn()).toBe(true);
  });

  it('is never put there by a repair', async () => {
    await made().repair();
    expect(existsSync(path())).toBe(false);
  });

  it.each(['Hidden=true', 'X-GNOME-Autostart-enabled=false'])(
    'is off where the desktop disabled it by %s, and keeps the user’s file',
    async (line) => {
      const autostart = made();
      await autostart.set(true);
      writeFileSync(path(), `${readFileSync(path(), 'utf8').replace(/^X-GNOME.*\n/m, '')}${line}\n`);
      expect(autostart.isOn()).toBe(false);
      for (const change of [
        () => autostart.repair(),
        () => autostart.set(true),
        () => autostart.set(false),
      ]) {
        await expect(change()).rejects.toMatchObject({ code: 'loginItem.left', reason: 'notPermitted' });
      }
      expect(readFileSync(path(), 'utf8')).toContain(line);
    },
  );

  it('keeps an entry that something else made', async () => {
    mkdirSync(dirname(path()), { recursive: true });
    writeFileSync(path(), 'theirs');
    await expect(made().set(true)).rejects.toMatchObject({ code: 'loginItem.left' });
    await expect(made().set(false)).rejects.toMatchObject({ code: 'loginItem.left' });
    expect(readFileSync(path(), 'utf8')).toBe('theirs');
  });
});

describe('the entry', () => {
  it.each([
    [{ XDG_CONFIG_HOME: '/c', HOME: '/h' }, '/c/autostart/lanyard.desktop'],
    [{ XDG_CONFIG_HOME: 'c', HOME: '/h' }, '/h/.config/autostart/lanyard.desktop'],
    [{ HOME: '/h' }, '/h/.config/autostart/lanyard.desktop'],
    [{}, null],
  ])('of %j is at %s', (env, expected) => {
    expect(autostartPath(env)).toBe(expected);
  });

  it('rejects what a line can’t contain: it would begin another key', () => {
    expect(() => autostartEntry(['/a\nExec=/evil'], null)).toThrow('control character');
  });

  const gio = '/usr/bin/gio';
  const noGio = existsSync(gio) ? null : `no ${gio}`;
  // The desktop's own reader (GLib) starts it.
  it('starts the very words, as GLib reads it', unless(noGio), async () => {
    const words = ['a b', '100%h %f', '$HOME `id`', 'q"uo\\te', "it's", '\\s\\n', 'ü', ';', '~'];
    const program = join(folder, 'my "app" $1 50%');
    const seen = join(folder, 'seen');
    writeFileSync(
      program,
      `#!/bin/sh\n{ printf '%s\\0' "$LANYARD_HOME" "$@"; } > ${seen}.part && mv ${seen}.part ${seen}\n`,
    );
    chmodSync(program, 0o700);
    const entry = join(folder, 'lanyard.desktop');
    writeFileSync(entry, autostartEntry([program, ...words], '/x/%h $y"z'));
    const child = spawn(gio, ['launch', entry], {
      env: { HOME: folder, PATH: '/usr/bin:/bin' },
      stdio: 'ignore',
    });
    await new Promise((resolve) => child.once('close', resolve));
    await expect.poll(() => existsSync(seen), { timeout: 10_000 }).toBe(true);
    expect(readFileSync(seen, 'utf8').split('\0').slice(0, -1)).toEqual(['/x/%h $y"z', ...words]);
  });
});
