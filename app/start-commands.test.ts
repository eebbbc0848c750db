import { describe, expect, it } from 'vitest';
import { startCommands } from './start-commands.ts';

const installed = { isPackaged: true, getAppPath: () => '/opt/Lanyard/resources/app.asar' };
const execPath = '/opt/Lanyard/lanyard-desktop';

describe('how a helper starts the app again', () => {
  it('headless by its own word, on Linux without asking Chromium for a screen or a sandbox', () => {
    expect(startCommands({ app: installed, env: {}, platform: 'linux', execPath })).toEqual({
      command: [execPath, '--ozone-platform=headless', '--no-sandbox', '--no-zygote', 'agent'],
      desktop: [execPath, '--hidden'],
    });
    expect(startCommands({ app: installed, env: {}, platform: 'darwin', execPath }).command).toEqual([
      execPath,
      'agent',
    ]);
  });

  it('keeps the sandbox wherever there are windows', () => {
    const { desktop } = startCommands({ app: installed, env: {}, platform: 'linux', execPath });
    expect(desktop).not.toContain('--no-sandbox');
  });

  it('names the built folder where it isn’t installed', () => {
    const app = { isPackaged: false, getAppPath: () => '/src/lanyard' };
    expect(startCommands({ app, env: {}, platform: 'darwin', execPath: '/e' })).toEqual({
      command: ['/e', '/src/lanyard', 'agent'],
      desktop: ['/e', '/src/lanyard', '--hidden'],
    });
  });

  it.each<[string, NodeJS.ProcessEnv, string]>([
    ['the AppImage’s file', { APPIMAGE: '/a/L.AppImage', APPDIR: '/tmp/.mount_L1' }, '/a/L.AppImage'],
    [
      'not another program’s',
      { APPIMAGE: '/a/Term.AppImage', APPDIR: '/tmp/.mount_T' },
      '/tmp/.mount_L1/lanyard',
    ],
    [
      'not one that only begins alike',
      { APPIMAGE: '/a/T', APPDIR: '/tmp/.mount_L' },
      '/tmp/.mount_L1/lanyard',
    ],
    ['no relative path', { APPIMAGE: 'L.AppImage', APPDIR: '/tmp/.mount_L1' }, '/tmp/.mount_L1/lanyard'],
    ['nothing without a mount', { APPIMAGE: '/a/L.AppImage' }, '/tmp/.mount_L1/lanyard'],
  ])('as an AppImage it names %s', (_, env, program) => {
    const commands = startCommands({
      app: installed,
      env,
      platform: 'linux',
      execPath: '/tmp/.mount_L1/lanyard',
    });
    expect([commands.command[0], commands.desktop?.[0]]).toEqual([program, program]);
  });
});
