import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runApp } from '../../app/run-app.ts';
import { createStandIn } from '../support/electron/index.ts';
import { makeHome } from '../support/home.ts';

const dist = join(import.meta.dirname, '..', '..', 'dist');

describe('the app', () => {
  it('starts, and when the user quits leaves nothing that listens or is visible', async () => {
    const home = makeHome();
    try {
      const standIn = createStandIn();
      await runApp({
        electron: standIn.electron,
        places: { dist, resources: null },
        start: { kind: 'desktop', hidden: false, route: null, lock: false },
        env: { ...home.env },
        platform: 'linux',
      });
      expect(standIn.schemes).toMatchObject([{ scheme: 'app' }, { scheme: 'lanyard-dialog' }]);
      const [window] = standIn.windows;
      await expect.poll(() => window?.loaded).toEqual(['app://lanyard/']);
      const { power, theme, ipc } = standIn;
      // The system's end is heard until the process has ended.
      const listening = () =>
        [power, theme, ipc]
          .flatMap(({ events }) => events.eventNames())
          .filter((name) => name !== 'shutdown');
      expect(listening()).not.toEqual([]);
      standIn.app.quit();
      expect(await standIn.app.ended.promise).toBe(0);
      expect(listening()).toEqual([]);
      expect(window?.isDestroyed()).toBe(true);
    } finally {
      home.dispose();
    }
  });
});
