import { expect, test } from 'vitest';
import { rendererWeight } from '../support/renderer-weight.ts';

const kilobyte = 1024;

test('all of the page is at most 400 KB', () => {
  const { whole } = rendererWeight();
  console.log(`renderer: ${(whole / kilobyte).toFixed(1)} KB gzipped in all`);
  expect(whole).toBeLessThanOrEqual(400 * kilobyte);
});

test('what loads for the list of clusters is at most 150 KB', () => {
  const { firstView } = rendererWeight();
  console.log(`renderer: ${(firstView / kilobyte).toFixed(1)} KB gzipped for the first view`);
  expect(firstView).toBeLessThanOrEqual(150 * kilobyte);
});
