import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runApp } from '../../app/run-app.ts';
import { createStandIn } from '../support/electron/index.ts';
import { makeHome } from '../support/home.ts';

const dist = join(import.meta.dirname, '..', '..', 'dist');

describe('the app', () => {
  it('begins, and ends when the person quits', async () => {
    const home = makeHome();
    try {
      const standIn = createStandIn();
      await runApp({
        electron: standIn.electron,
        places: { dist, resources: null },
        start: { kind: 'desktop', hidden: true, route: null, lock: false },
        env: { ...home.env },
        platform: 'linux',
      });
      expect(standIn.schemes).toMatchObject([{ scheme: 'app' }, { scheme: 'lanyard-dialog' }]);
      standIn.app.quit();
    } finally {
      home.dispose();
    }
  });
});
