import { expect, test } from 'vitest';
import { readListQuery, withFilter, writeListQuery } from './list-query.ts';

test.each([
  '',
  'q=prod+eu',
  'state=pending&state=remade&clusterset=&group=location',
  'q=a&account=corp&at=412',
])('“%s” is read, and written as it was', (text) => {
  expect(writeListQuery(readListQuery(text))).toBe(text);
});

test('what the contract doesn’t take is left out', () => {
  const query = readListQuery(`q=${'a'.repeat(300)}&clusterset=${'b'.repeat(300)}&group=nonsense&at=-4`);
  expect(query).toEqual({ search: 'a'.repeat(256), filters: {}, group: null, at: null });
});

test('a filter replaces the field’s own, or ends it', () => {
  const filters = { state: ['inUse'], account: ['corp'] };
  expect(withFilter(filters, 'state', ['pending'])).toEqual({ state: ['pending'], account: ['corp'] });
  expect(withFilter(filters, 'state', [])).toEqual({ account: ['corp'] });
});
