import { describe, expect, it } from 'vitest';
import { createStandIn } from '../../test/support/electron/index.ts';
import { createUserCheck } from './user-check.ts';
import type { RunScript } from './windows-hello.ts';

const { electron, touchId } = createStandIn();

describe('Touch ID', () => {
  const check = createUserCheck({ electron, platform: 'darwin', env: {} });

  it.each<[string, boolean, () => Promise<void>, string]>([
    ['isn’t there', false, async () => undefined, 'absent'],
    ['finds the person', true, async () => undefined, 'yes'],
    ['doesn’t', true, () => Promise.reject(new Error('Canceled by user.')), 'no'],
  ])('%s', async (_, isThere, answer, verdict) => {
    Object.assign(touchId, { isThere, answer });
    expect(await check.verify('unlock')).toBe(verdict);
  });
});

describe('Windows Hello', () => {
  function hello(said: string | null, root = 'C:\\Windows') {
    const runs: Parameters<RunScript>[] = [];
    const run: RunScript = async (...args) => {
      runs.push(args);
      return said;
    };
    return {
      runs,
      check: createUserCheck({ electron, platform: 'win32', env: { SystemRoot: root }, run }),
    };
  }

  it.each<[string | null, string]>([
    ['Verified\r\n', 'yes'],
    ['Canceled', 'no'],
    ['RetriesExhausted', 'no'],
    ['DeviceBusy', 'cannot'],
    ['DeviceNotPresent', 'absent'],
    ['NotConfiguredForUser', 'absent'],
    ['DisabledByPolicy', 'absent'],
    ['Verified, or so it says', 'cannot'],
    ['', 'cannot'],
    [null, 'cannot'],
  ])('saying %j is %s', async (said, verdict) => {
    expect(await hello(said).check.verify('unlock')).toBe(verdict);
  });

  it('runs the system’s own PowerShell by its path, with the same words whatever the reason says', async () => {
    const { check, runs } = hello('Verified');
    await check.verify('unlock');
    await check.verify(`"; Remove-Item C:\\ # ' $(calc)`);
    const [[program, args, { env, input }] = ['', [], { env: {}, input: '' }], second] = runs;
    expect(program).toBe('C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe');
    expect(second?.[1]).toEqual(args);
    expect(args.join(' ')).not.toMatch(/["\n]|Remove-Item/);
    expect(env).toEqual({ SystemRoot: 'C:\\Windows' });
    expect([input, /^[\w+/=]+\n$/.test(second?.[2].input ?? '')]).toEqual(['dW5sb2Nr\n', true]);
  });

  it.each(['', 'Windows', '\\\\evil\\share', 'C:\\Win"dows'])('runs nothing under %j', async (root) => {
    const { check, runs } = hello('Verified', root);
    expect([await check.verify('unlock'), runs.length]).toEqual(['cannot', 0]);
  });
});

it('Linux has no user check', async () => {
  expect(await createUserCheck({ electron, platform: 'linux', env: {} }).verify('unlock')).toBe('absent');
});
