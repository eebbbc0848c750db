import { expect, test } from 'vitest';
import { fittingTexts } from './fitting-texts.ts';

const profile = (name: string, characters: number) => ({
  title: `cluster ${name} (new)`,
  risks: [],
  lines: [`+ execConfig: ${'x'.repeat(characters)}`],
});

test('profiles with much text keep their titles, and leave a page what else is pending', () => {
  const own = { title: 'account corp (new)', risks: ['Runs a program'], lines: ['+ kind: execPlugin'] };
  const texts = [...Array.from({ length: 300 }, (_, index) => profile(`c-${index}`, 60_000)), own];
  const fitting = fittingTexts(texts);
  expect(fitting).toHaveLength(301);
  expect(fitting[0]).toEqual(texts[0]);
  expect(fitting[300]).toEqual(own);
  expect(fitting[299]).toEqual({
    title: 'cluster c-299 (new)',
    risks: [],
    lines: ['too long for this page: the window and lanyard confirm show it'],
  });
  expect(JSON.stringify(fitting).length).toBeLessThan(2 * 1024 * 1024);
});

test('what fits stays as it is, with its names', () => {
  const texts = [
    { title: '2 clusters of fleet (new)', risks: [], lines: ['+ account: bot'], names: ['a, b'] },
  ];
  expect(fittingTexts(texts)).toEqual(texts);
});
