import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Updates } from '../../app/updates/index.ts';
import { setUpdatesStage, shown, type UpdatesStage } from '../support/updates-stage.ts';

const day = 24 * 60 * 60_000;
const still = new AbortController().signal;

let stage: UpdatesStage;
beforeEach(async () => {
  stage = await setUpdatesStage();
});
afterEach(() => stage.dispose());

describe('the daily check', () => {
  const looked = () => stage.feed.asked.filter((path) => path.endsWith('.yml')).length;
  /** Started, with what it knows read. */
  const started = async (updates: Updates): Promise<Updates> => {
    await expect.poll(() => stage.clock.pending).toBeGreaterThan(0);
    return updates;
  };

  it('comes minutes after the first start, then once a day, and fetches nothing', async () => {
    stage.feed.offer({ version: '1.1.0', key: stage.key.privateKey });
    const updates = await started(stage.start());
    stage.clock.advance(4 * 60_000);
    expect(looked()).toBe(0);
    stage.clock.advance(60_000);
    await shown(updates, 'available');
    expect(looked()).toBe(1);
    await expect.poll(() => stage.clock.pending).toBe(1);
    stage.clock.advance(day - 1);
    expect(looked()).toBe(1);
    stage.clock.advance(1);
    await expect.poll(looked).toBe(2);
    expect(stage.feed.asked.filter((path) => path.endsWith('.AppImage'))).toEqual([]);
  });

  it('isn’t repeated by a restart', async () => {
    stage.feed.offer({ version: '1.0.0', key: stage.key.privateKey });
    const first = stage.start();
    await first.check(still);
    await first.dispose();
    const second = await started(stage.start());
    expect(second.view()).toEqual({ kind: 'idle', checkedAt: stage.clock.now() });
    stage.clock.advance(day - 1);
    expect(looked()).toBe(1);
    stage.clock.advance(1);
    await expect.poll(looked).toBe(2);
  });

  it('waits for the end of a login', async () => {
    stage.feed.offer({ version: '1.1.0', key: stage.key.privateKey });
    stage.busy = 'the login of corp is under way';
    const updates = await started(stage.start());
    stage.clock.advance(60 * 60_000);
    expect([looked(), stage.clock.pending]).toEqual([0, 1]);
    stage.busy = null;
    stage.clock.advance(10 * 60_000);
    await shown(updates, 'available');
  });

  it('doesn’t run if the user turned it off', async () => {
    stage.isWanted = false;
    await started(stage.start());
    for (let days = 0; days < 3; days += 1) {
      stage.clock.advance(day);
      await expect.poll(() => stage.clock.pending).toBe(1);
    }
    expect(stage.feed.asked).toEqual([]);
  });

  it('that fails is not shown', async () => {
    const updates = await started(stage.start());
    stage.clock.advance(day);
    await expect.poll(looked).toBe(1);
    await shown(updates, 'idle');
    await expect.poll(() => stage.clock.pending).toBe(1);
    expect(updates.view()).toEqual({ kind: 'idle', checkedAt: null });
  });
});
