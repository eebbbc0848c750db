import { expect, test } from 'vitest';
import type { ProfileRowView } from '../../../main/contract/ui/calls/inventories.ts';
import {
  keptPages,
  type ListPages,
  pageSize,
  pagesToRequest,
  placeNow,
  rowAt,
  withAnswer,
} from './list-pages.ts';

const key = 'all';
const named = (name: string) => ({ inventory: 'fleet', namespace: 'team', name }) as ProfileRowView;
const answer = (rows: readonly string[], matching = 10_000) => ({
  total: matching,
  matching,
  rows: rows.map(named),
  groups: [],
  values: {},
  accounts: [],
});
const pages = (version: string, ...of: number[]): ListPages =>
  of.reduce<ListPages | null>(
    (before, page) => withAnswer(before, { key, page, version }, answer([`first-of-${page}`])),
    null,
  ) as ListPages;

test('requests the pages in sight that are missing or of an earlier version', () => {
  const shown = pages('1', 0, 1);
  const ask = (first: number, last: number, version = '1') =>
    pagesToRequest(shown, { key, version, first, last });
  expect(ask(0, 150)).toEqual([]);
  expect(ask(150, 250)).toEqual([2]);
  expect(ask(90, 110, '2')).toEqual([0, 1]);
  expect(pagesToRequest(shown, { key: 'other', version: '1', first: 0, last: 5 })).toEqual([0]);
});

test('requests nothing beyond the end of a list that has become shorter', () => {
  const shown = withAnswer(null, { key, page: 0, version: '1' }, answer(['a'], 50));
  expect(pagesToRequest(shown, { key, version: '2', first: 9_000, last: 9_050 })).toEqual([0]);
});

test('rows stay while a newer version of their page loads; another query replaces all', () => {
  const shown = withAnswer(pages('1', 0, 1), { key, page: 0, version: '2' }, answer(['new']));
  expect([rowAt(shown, 0)?.name, rowAt(shown, pageSize)?.name]).toEqual(['new', 'first-of-1']);
  const other = withAnswer(shown, { key: 'other', page: 0, version: '2' }, answer(['x']));
  expect([rowAt(other, 0)?.name, rowAt(other, pageSize)]).toEqual(['x', undefined]);
});

test('keeps so many pages, and drops the one that was requested longest ago', () => {
  const shown = pages('1', ...Array.from({ length: keptPages + 1 }, (_, page) => page));
  expect([shown.pages.size, shown.pages.has(0), shown.pages.has(keptPages)]).toEqual([
    keptPages,
    false,
    true,
  ]);
});

test('the cursor stays at its profile when others come or go, and within the list', () => {
  const shown = withAnswer(null, { key, page: 0, version: '1' }, answer(['a', 'b', 'c'], 3));
  expect(placeNow(shown, { offset: 1, name: 'fleet:team/b' })).toBe(1);
  expect(placeNow(shown, { offset: 1, name: 'fleet:team/c' })).toBe(2);
  expect(placeNow(shown, { offset: 1, name: 'fleet:team/gone' })).toBe(1);
  expect(placeNow(shown, { offset: 40, name: null })).toBe(2);
});
