import { expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { createRecordLog } from '../../accounts/testing/record-log.ts';
import { createSparingLog } from './sparing-log.ts';

it('logs some warnings at once, then few, and says how many it left out; errors all', () => {
  const clock = new ManualClock();
  const whole = createRecordLog();
  const log = createSparingLog(whole, clock, { atOnce: 20, perSecond: 0.1 });
  for (let i = 0; i < 106_000; i++) {
    log.warn('connection.frame', { pid: i });
  }
  expect(whole.lines).toHaveLength(20);
  clock.advance(10_000);
  log.warn('connection.frame', { pid: 1 });
  clock.advance(10_000);
  log.warn('connection.frame');
  log.error('door.failed');
  expect(whole.lines.slice(20).map(({ fields }) => fields)).toEqual([
    { pid: 1, unlogged: 105_980 },
    undefined,
    undefined,
  ]);
});
