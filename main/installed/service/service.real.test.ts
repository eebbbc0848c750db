import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { onWindows } from '../../../test/support/system.ts';
import { folderForTest } from '../../../test/support/temporary-folder.ts';
import { unless } from '../../../test/support/unless.ts';
import { createLedger } from '../ledger.ts';
import { launchdPlist } from './launchd-plist.ts';
import { installService, type ServiceDeps, type ServiceWish, uninstallService } from './service.ts';
import { systemdUnit } from './systemd-unit.ts';

let home: string;
let asked: string[];
/** The commands that the manager refuses. */
let refused: Set<string>;

beforeEach(() => {
  home = folderForTest();
  asked = [];
  refused = new Set(['is-active', 'print']);
});

const deps = (platform: string): ServiceDeps => ({
  platform,
  uid: 501,
  environment: { HOME: home },
  ledger: createLedger({ file: join(home, 'installed.json'), alone: (work) => work() }),
  now: () => 1,
  manager: {
    run: async (args) => {
      asked.push(args.join(' '));
      return !refused.has(args[0] ?? '');
    },
    line: (args) => `manager ${args.join(' ')}`,
  },
});
const wish = (more: Partial<ServiceWish> = {}): ServiceWish => ({
  command: ['/opt/lanyard/node', '/opt/lanyard/agent.js'],
  home: null,
  log: '/home/me/agent.log',
  isRunning: false,
  ...more,
});
const unit = () => join(home, '.config/systemd/user/lanyard.service');
const enabled = () => join(home, '.config/systemd/user/default.target.wants/lanyard.service');
const plist = () => join(home, 'Library/LaunchAgents/lanyard.agent.plist');

test.each(['win32', 'freebsd'])('on %s it says that it isn’t there yet', async (platform) => {
  await expect(installService(wish(), deps(platform))).rejects.toMatchObject({
    code: 'agent.service.platform',
  });
  await expect(uninstallService(deps(platform))).rejects.toMatchObject({ code: 'agent.service.platform' });
});

// systemd’s and launchd’s: on Windows `agent --install` is refused.
describe.skipIf(onWindows)('the systemd unit', () => {
  test('starts the broker’s command word for word, with LANYARD_HOME', () => {
    const text = systemdUnit({
      // biome-ignore lint/suspicious/noTemplateCurlyInString: systemd would put a variable's value in its place
      command: ['/a b$c%d/node', '$HOME ${X} 100%h', 'q"uo\\te', "it's", ';', 'new\nline', 'ü', ''],
      home: '/x/%h $y"z',
    });
    // systemd.service(5), "Command lines"; the words were once given to a user manager of systemd 252, which ran them.
    expect(text).toContain(
      'ExecStart="/a b$c%%d/node" "$$HOME $${X} 100%%h" "q\\"uo\\\\te" "it\'s" ";" "new\\x0aline" "ü" ""\n',
    );
    expect(text).toContain('Environment="LANYARD_HOME=/x/%%h $y\\"z"\n');
    expect(systemdUnit(wish())).not.toContain('Environment=');
  });

  const analyze = '/usr/bin/systemd-analyze';
  const noSystemd = existsSync(analyze) ? null : `no ${analyze}`;
  test('is one that systemd understands in full', unless(noSystemd), async () => {
    const file = join(home, 'lanyard.service');
    await writeFile(
      file,
      systemdUnit({ command: [process.execPath, 'a b', '100%h', '$X'], home: `${home} %h` }),
    );
    const env = { HOME: home, XDG_RUNTIME_DIR: home, PATH: '/usr/bin:/bin' };
    const verified = spawnSync(analyze, ['verify', '--user', file], { env, encoding: 'utf8' });
    expect([verified.status, verified.stderr]).toEqual([0, '']);
  });
});

describe.skipIf(onWindows)('the launch agent', () => {
  test('is well-formed XML with the words as they are', async () => {
    const text = launchdPlist({
      command: ['/a & b/node', '<x>', ']]>', '"\'ü'],
      home: '/h & <y>',
      log: '/log',
    });
    const parsed = parseStrictly(text);
    expect(parsed['ProgramArguments']).toEqual(['/a & b/node', '<x>', ']]>', '"\'ü']);
    expect(parsed['EnvironmentVariables']).toEqual({ LANYARD_HOME: '/h & <y>' });
    expect(parsed).toMatchObject({
      Label: 'lanyard.agent',
      RunAtLoad: true,
      KeepAlive: { SuccessfulExit: false },
      StandardErrorPath: '/log',
    });
    expect(parseStrictly(launchdPlist({ ...wish(), log: '/log' }))).not.toHaveProperty(
      'EnvironmentVariables',
    );
  });

  test('a path that XML can’t hold is refused', async () => {
    await expect(installService(wish({ home: '/a\u0001' }), deps('darwin'))).rejects.toMatchObject({
      code: 'agent.service.path',
    });
    expect(existsSync(plist())).toBe(false);
  });
});

describe.skipIf(onWindows)('agent --install', () => {
  test('on Linux writes the unit, enables it and starts it; again it changes nothing', async () => {
    const lines = await installService(wish(), deps('linux'));
    expect(await readFile(unit(), 'utf8')).toBe(systemdUnit(wish()));
    expect(await readlink(enabled())).toBe(unit());
    expect(asked).toEqual(['daemon-reload', 'is-active --quiet lanyard.service', 'start lanyard.service']);
    expect(lines).toEqual([`The agent is started at login by ${unit()}.`, 'It runs.']);
    refused.delete('is-active');
    asked = [];
    expect(await installService(wish(), deps('linux'))).toEqual(lines);
    expect(asked).not.toContain('start lanyard.service');
  });

  test('a broker that runs is left, and not started a second time', async () => {
    const lines = await installService(wish({ isRunning: true }), deps('linux'));
    expect(lines.join(' ')).toContain('goes on');
    expect(asked).not.toContain('start lanyard.service');
    await installService(wish({ isRunning: true }), deps('darwin'));
    expect(asked.join(' ')).not.toContain('bootstrap');
  });

  test('a service that runs with an older unit is named with how to restart it', async () => {
    await installService(wish(), deps('linux'));
    refused.delete('is-active');
    const lines = await installService(wish({ command: ['/new/node'] }), deps('linux'));
    expect(lines.join(' ')).toContain('manager restart lanyard.service');
    expect(await readFile(unit(), 'utf8')).toContain('"/new/node"');
  });

  test('without a user manager it is there for the next login, and says what to run', async () => {
    refused.add('daemon-reload');
    const lines = await installService(wish(), deps('linux'));
    expect(lines.join(' ')).toContain('manager daemon-reload');
    expect(await readlink(enabled())).toBe(unit());
  });

  test('on macOS writes the agent and tells launchd, once', async () => {
    await installService(wish(), deps('darwin'));
    expect(asked).toEqual(['print gui/501/lanyard.agent', `bootstrap gui/501 ${plist()}`]);
    refused.delete('print');
    asked = [];
    await installService(wish(), deps('darwin'));
    expect(asked).toEqual(['print gui/501/lanyard.agent']);
  });

  test.each(['linux', 'darwin'])('on %s a unit that the person wrote or edited is left', async (platform) => {
    const path = platform === 'linux' ? unit() : plist();
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, 'mine');
    const left = { code: 'agent.service.left', reason: 'notPermitted' };
    await expect(installService(wish(), deps(platform))).rejects.toMatchObject(left);
    await rm(path);
    await installService(wish(), deps(platform));
    await writeFile(path, 'edited');
    await expect(installService(wish(), deps(platform))).rejects.toMatchObject(left);
    await expect(uninstallService(deps(platform))).rejects.toMatchObject(left);
    expect(await readFile(path, 'utf8')).toBe('edited');
  });

  test('a link that systemctl enable has made counts, also a relative one', async () => {
    await mkdir(join(enabled(), '..'), { recursive: true });
    await symlink('../lanyard.service', enabled());
    await installService(wish(), deps('linux'));
    expect(await readlink(enabled())).toBe('../lanyard.service');
  });

  test('XDG_CONFIG_HOME counts, and HOME must be there', async () => {
    const config = join(home, 'else');
    await installService(wish(), { ...deps('linux'), environment: { HOME: home, XDG_CONFIG_HOME: config } });
    expect(existsSync(join(config, 'systemd/user/lanyard.service'))).toBe(true);
    await expect(installService(wish(), { ...deps('linux'), environment: {} })).rejects.toMatchObject({
      code: 'agent.service.home',
    });
  });
});

describe.skipIf(onWindows)('agent --uninstall', () => {
  test.each(['linux', 'darwin'])('on %s takes all back, and ends no broker', async (platform) => {
    await installService(wish(), deps(platform));
    asked = [];
    await uninstallService(deps(platform));
    expect(existsSync(join(home, '.config')) || existsSync(join(home, 'Library'))).toBe(false);
    expect(asked).toEqual(platform === 'linux' ? ['daemon-reload'] : []);
    expect((await uninstallService(deps(platform))).join(' ')).toContain('isn’t started at login');
  });
});

type Plist = string | boolean | number | Plist[] | { [key: string]: Plist };

/** A property list by the letter: every element closed, in its place, and no other text between them. */
function parseStrictly(text: string): Record<string, Plist> {
  const prolog = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<!DOCTYPE plist PUBLIC "[^"]*" "[^"]*">\n/.exec(
    text,
  );
  let rest = text.slice(prolog?.[0].length ?? 0);
  expect(prolog).not.toBeNull();
  const take = (pattern: RegExp): string => {
    const match = new RegExp(`^\\s*(?:${pattern.source})`).exec(rest);
    if (!match) {
      throw new Error(`expected ${pattern.source} at: ${rest.slice(0, 40)}`);
    }
    rest = rest.slice(match[0].length);
    return match[1] ?? match[0].trim();
  };
  const is = (pattern: RegExp) => new RegExp(`^\\s*(?:${pattern.source})`).test(rest);
  const unescaped = (data: string) =>
    data.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  const characters = /((?:[^<>&]|&lt;|&gt;|&amp;)*)/;
  const element = (name: string) => unescaped(take(new RegExp(`<${name}>${characters.source}</${name}>`)));
  const value = (): Plist => {
    if (is(/<dict>/)) {
      take(/<dict>/);
      const found: { [key: string]: Plist } = {};
      while (!is(/<\/dict>/)) {
        const key = element('key');
        found[key] = value();
      }
      take(/<\/dict>/);
      return found;
    }
    if (is(/<array>/)) {
      take(/<array>/);
      const found: Plist[] = [];
      while (!is(/<\/array>/)) {
        found.push(value());
      }
      take(/<\/array>/);
      return found;
    }
    if (is(/<(true|false)\/>/)) {
      return take(/<(true|false)\/>/) === 'true';
    }
    return is(/<integer>/) ? Number(element('integer')) : element('string');
  };
  take(/<plist version="1\.0">/);
  const found = value();
  take(/<\/plist>/);
  expect(rest.trim()).toBe('');
  return found as Record<string, Plist>;
}
