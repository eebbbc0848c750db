import { expect, it } from 'vitest';
import { createStandIn } from '../../test/support/electron/index.ts';
import { setAppMenu } from './app-menu.ts';

it('on macOS there is a menu with the keys to copy and paste, and none of developers’', () => {
  const standIn = createStandIn();
  setAppMenu(standIn.electron, 'darwin');
  const text = JSON.stringify(standIn.applicationMenu);
  expect(text).toContain('editMenu');
  expect(text).not.toMatch(/reload|toggleDevTools|viewMenu/);
});

it.each(['linux', 'win32'] as const)('on %s there is none', (platform) => {
  const standIn = createStandIn();
  setAppMenu(standIn.electron, 'darwin');
  setAppMenu(standIn.electron, platform);
  expect(standIn.applicationMenu).toBe(null);
});
