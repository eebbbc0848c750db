import { expect, test } from 'vitest';
import { endUninstalled } from './uninstalled.ts';

test.each<[NodeJS.Platform, unknown[]]>([
  ['linux', ['ends']],
  ['darwin', ['ends']],
  ['win32', ['all has ended', { execPath: 'Lanyard.exe', args: ['C:\\app', 'leave'] }, 'exits']],
])('the app that was uninstalled, on %s', (platform, expected) => {
  const steps: unknown[] = [];
  endUninstalled({
    platform,
    own: ['Lanyard.exe', 'C:\\app'],
    app: { relaunch: (options) => void steps.push(options), exit: () => void steps.push('exits') },
    ending: {
      now: () => void steps.push('ends'),
      handOver: async (last) => {
        steps.push('all has ended');
        last();
      },
    },
  });
  expect(steps).toEqual(expected);
});
