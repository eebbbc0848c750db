import { describe, expect, it } from 'vitest';
import { createStandIn } from '../../test/support/electron/index.ts';
import { createLoginItem, openedAtLogin } from './login-item.ts';

function begin(platform: NodeJS.Platform, isPackaged = true) {
  const { app } = createStandIn();
  app.isPackaged = isPackaged;
  return { app, item: createLoginItem({ app, platform, autostart: null }) };
}

describe('starting at login', () => {
  it.each([
    ['darwin', '[]'],
    ['win32', '["--hidden"]'],
  ] as const)(
    'is set to %s, with arguments that hide the window where it passes arguments: %s',
    async (platform, words) => {
      const { app, item } = begin(platform);
      let told = 0;
      item.onChange(() => told++);
      expect(item.state()).toBe(false);
      await item.set(true);
      expect([item.state(), [...app.loginItems]]).toEqual([true, [[words, true]]]);
      await item.set(false);
      expect([item.state(), told]).toEqual([false, 2]);
    },
  );

  it.each([
    ['darwin', 'General, Login Items'],
    ['win32', 'Apps, Startup'],
  ] as const)('reports where %s shows that the user disabled it', async (platform, place) => {
    const { app, item } = begin(platform);
    app.refusesLoginItems = true;
    await expect(item.set(true)).rejects.toMatchObject({
      code: 'loginItem.refused',
      reason: 'notPermitted',
      hint: expect.stringContaining(place),
    });
    expect(item.state()).toBe(false);
  });

  it('isn’t offered where it would start something else, or nothing', async () => {
    // Not packaged, macOS would start Electron’s own app.
    for (const { item } of [begin('darwin', false), begin('linux')]) {
      expect(item.state()).toBeNull();
      await expect(item.set(true)).rejects.toMatchObject({ code: 'loginItem.none' });
    }
  });

  it('is known to the app that macOS started so', () => {
    const { app } = createStandIn();
    expect(openedAtLogin(app)).toBe(false);
    app.wasOpenedAtLogin = true;
    expect(openedAtLogin(app)).toBe(true);
  });
});
