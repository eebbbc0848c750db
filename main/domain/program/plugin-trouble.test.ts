import { expect, test } from 'vitest';
import type { HourOfRuns, Rotation } from '../figures/plugin-objectives.ts';
import { type PluginTrouble, pluginTroubles } from './plugin-trouble.ts';

const hour = 3_600_000;

/** By hour, the last one last: how many ran, and how many of them failed. */
function hours(...byHour: readonly (readonly [runs: number, failed: number])[]): HourOfRuns[] {
  return byHour.map(([runs, failed], index) => ({
    account: 'eks',
    cluster: 'prod',
    hour: 24 - byHour.length + index,
    runs,
    failed,
    unusable: 0,
  }));
}

function rotations(count: number, fields: Partial<Rotation>): Rotation[] {
  const one = {
    account: 'eks',
    cluster: null,
    at: 0,
    why: 'due',
    afterFailure: false,
    age: 0,
    life: 24 * hour,
  };
  return Array.from({ length: count }, () => ({ ...one, ...fields }));
}

const inTime = { age: 23.9 * hour };
const quick = { age: 0.5 * hour };
const young = { age: 8 * hour };

test.each<[string, HourOfRuns[], Rotation[], PluginTrouble[]]>([
  ['nothing happened', [], [], []],
  ['all in time', hours([3, 0], [3, 0]), rotations(20, inTime), []],
  ['an hour’s certificate replaced each hour', [], rotations(24, { life: hour, age: 0.995 * hour }), []],
  ['two that were quick, among those in time', [], [...rotations(2, quick), ...rotations(9, inTime)], []],
  ['three that were quick', [], [...rotations(3, quick), ...rotations(9, inTime)], ['rotatesTooOften']],
  ['all quick', [], rotations(3, quick), ['rotatesTooOften', 'youngCertificates']],
  ['half of them young', [], [...rotations(2, young), ...rotations(2, inTime)], ['youngCertificates']],
  ['fewer than half young', [], [...rotations(2, young), ...rotations(3, inTime)], []],
  ['two, both young', [], rotations(2, young), []],
  ['as nobody asked', [], rotations(5, { age: 30 * hour, life: hour }), []],
  ['as many calls as ever', hours([30, 0], [40, 0], [35, 0]), [], []],
  ['twice as many calls', hours([10, 0], [20, 0]), [], []],
  ['more than twice as many calls', hours([10, 0], [21, 0]), [], ['callsRise']],
  ['more than twice as many as before, yet few', hours([1, 0], [9, 0]), [], []],
  ['the rise is over', hours([1, 0], [90, 0], [40, 0]), [], []],
  ['the first calls of a day', hours([10, 0]), [], []],
  ['the first failures of a day', hours([10, 3]), [], ['errorsRise']],
  ['two failures', hours([3, 2]), [], []],
  ['three failures', hours([3, 3]), [], ['errorsRise']],
  ['failures as before', hours([4, 3], [8, 6]), [], []],
  ['failures rise, calls don’t', hours([20, 0], [20, 4]), [], ['errorsRise']],
  ['both', hours([4, 0], [40, 39]), [], ['callsRise', 'errorsRise']],
])('KEP-541/failure-modes: %s', (_, runs, replaced, troubles) => {
  expect(pluginTroubles(runs, replaced)).toEqual(troubles);
});
