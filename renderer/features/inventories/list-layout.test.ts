import { expect, test } from 'vitest';
import { listLayout } from './list-layout.ts';

test('without groups each item is the row at its place', () => {
  const layout = listLayout(10_000, []);
  expect([layout.count, layout.itemAt(9_999), layout.indexOf(9_999)]).toEqual([
    10_000,
    { kind: 'row', offset: 9_999 },
    9_999,
  ]);
});

test('each group has its heading above its first row, and a row is found at its index', () => {
  const groups = [
    { value: 'prod', count: 2 },
    { value: 'dev', count: 1 },
    { value: '', count: 3 },
  ];
  const layout = listLayout(6, groups);
  const items = Array.from({ length: layout.count }, (_, index) => layout.itemAt(index));
  expect(items.map((item) => (item.kind === 'row' ? item.offset : `${item.group.value}:`))).toEqual([
    'prod:',
    0,
    1,
    'dev:',
    2,
    ':',
    3,
    4,
    5,
  ]);
  for (let offset = 0; offset < 6; offset += 1) {
    expect(layout.itemAt(layout.indexOf(offset))).toEqual({ kind: 'row', offset });
  }
});

test('rows beyond the last known group have no heading', () => {
  const layout = listLayout(5, [{ value: 'prod', count: 2 }]);
  expect([layout.count, layout.itemAt(5), layout.indexOf(4)]).toEqual([6, { kind: 'row', offset: 4 }, 5]);
});
