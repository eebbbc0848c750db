import { beforeEach, describe, expect, it } from 'vitest';
import { createStandIn, type StandIn } from '../test/support/electron/index.ts';
import { ManualClock } from '../test/support/manual-clock.ts';
import { createFileChooser } from './file-chooser.ts';

let standIn: StandIn;
let clock: ManualClock;
let choose: ReturnType<typeof createFileChooser>;

beforeEach(() => {
  standIn = createStandIn();
  clock = new ManualClock();
  choose = createFileChooser({ electron: standIn.electron, clock });
});

describe('the file dialog', () => {
  it('gives the paths that the user chose, and begins where kubeconfigs are', async () => {
    standIn.chosen = ['/home/me/.kube/config', '/home/me/team.yaml'];
    expect(await choose()).toEqual(standIn.chosen);
    const [options] = standIn.fileDialogs;
    expect(options?.defaultPath).toBe(`${standIn.app.getPath('home')}/.kube`);
    expect(options?.properties).toContain('showHiddenFiles');
  });

  it('gives nothing where the user cancels', async () => {
    expect(await choose()).toEqual([]);
  });

  it('is there once at a time', async () => {
    const first = choose();
    await expect(choose()).rejects.toMatchObject({ code: 'desktop.choosing' });
    await first;
    await choose();
    expect(standIn.fileDialogs).toHaveLength(2);
  });

  it('is not opened again and again by a page', async () => {
    const all = async () => {
      for (let i = 0; i < 20; i++) {
        await choose().catch(() => undefined);
      }
      return standIn.fileDialogs.length;
    };
    expect(await all()).toBe(12);
    clock.advance(5_000);
    expect(await all()).toBe(13);
  });
});
