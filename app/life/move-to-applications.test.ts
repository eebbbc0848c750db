import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { createStandIn } from '../../test/support/electron/index.ts';
import { type MoveDeps, moveToApplications } from './move-to-applications.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {}, flush() {} };

/** An app that was opened from its image. Presses the button of that name in each box that has it. */
function begin(press: string, deps: Partial<MoveDeps> = {}) {
  const standIn = createStandIn();
  standIn.answer = ({ buttons = [], cancelId = 0 }) => {
    const at = buttons.indexOf(press);
    return at < 0 ? cancelId : at;
  };
  const move = () =>
    moveToApplications('diskImage', {
      electron: standIn.electron,
      log: quiet,
      hidden: false,
      execPath: '/Volumes/Lanyard/Lanyard 2.app/Contents/MacOS/Lanyard',
      exists: () => false,
      ...deps,
    });
  return { ...standIn, standIn, move };
}

const move = 'Move to Applications';

describe('an app in a place that passes', () => {
  it('offers the move first, and ends with it', async () => {
    const { app, boxes, move: run } = begin(move);
    expect(await run()).toBe(exitCodes.good);
    expect(app.moves).toBe(1);
    const [box] = boxes;
    expect(boxes).toHaveLength(1);
    expect(box?.buttons).toEqual([move, 'Quit']);
    expect([box?.defaultId, box?.cancelId]).toEqual([0, 1]);
    expect(box?.detail).toContain('from a disk image');
  });

  it('moves nothing at a No', async () => {
    const { app, move: run } = begin('Quit');
    expect([await run(), app.moves]).toEqual([exitCodes.usage, 0]);
  });

  it('says what else helps where it couldn’t be moved', async () => {
    for (const outcome of [
      () => false,
      () => {
        throw new Error('User rejected the authorization request');
      },
    ]) {
      const { app, boxes, move: run } = begin(move);
      app.move = outcome;
      expect(await run()).toBe(exitCodes.usage);
      expect(boxes.map(({ message }) => message)).toEqual([
        'Move Lanyard to the Applications folder?',
        'Lanyard couldn’t be moved',
      ]);
    }
  });

  it('replaces none, by itself or where one came meanwhile', async () => {
    const asked: string[] = [];
    const present = begin(move, {
      exists(path) {
        asked.push(path);
        return true;
      },
    });
    expect(await present.move()).toBe(exitCodes.usage);
    expect([present.app.moves, asked]).toEqual([0, ['/Applications/Lanyard 2.app']]);
    expect(present.boxes.map(({ buttons }) => buttons)).toEqual([['Quit']]);

    const late = begin(move);
    late.app.move = (options) => options?.conflictHandler?.('exists') !== false;
    expect(await late.move()).toBe(exitCodes.usage);
  });

  it('asks nobody where nobody opened it', async () => {
    const { app, boxes, move: run } = begin(move, { hidden: true });
    expect([await run(), app.moves, boxes]).toEqual([exitCodes.usage, 0, []]);
  });
});
