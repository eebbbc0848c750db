import type { CallOutput } from '../../../main/contract/ui/calls/index.ts';
import type { ProfileRowView } from '../../../main/contract/ui/calls/inventories.ts';
import { wholeNameOf } from './profile-place.ts';

/** So many rows are requested at once. */
export const pageSize = 100;
/** So many pages are kept; others are requested again. */
export const keptPages = 100;

export type PageAnswer = CallOutput<'inventory.profiles'>;

interface ListPage {
  rows: readonly ProfileRowView[];
  /** The version of the inventories when it was requested. */
  version: string;
}

/** The answers to one query so far. */
export interface ListPages {
  /** Of the query. */
  key: string;
  /** The latest answer, for what concerns the whole list. */
  whole: Omit<PageAnswer, 'rows'>;
  pages: ReadonlyMap<number, ListPage>;
}

/** With one more answer. An answer to another query replaces all. */
export function withAnswer(
  before: ListPages | null,
  { key, page, version }: { key: string; page: number; version: string },
  { rows, ...answered }: PageAnswer,
): ListPages {
  const whole = unchanged(before?.whole, answered);
  const pages = new Map(before?.key === key ? before.pages : []);
  // Behind all others: the first is the one that was requested longest ago.
  pages.delete(page);
  pages.set(page, { rows, version });
  for (const [oldest] of pages) {
    if (pages.size > keptPages) {
      pages.delete(oldest);
    }
  }
  return { key, whole, pages };
}

/** With the objects from before where they are the same still: what is made of them needn’t be made again. */
function unchanged(before: ListPages['whole'] | undefined, now: ListPages['whole']): ListPages['whole'] {
  if (!before) {
    return now;
  }
  const kept = <Value>(one: Value, other: Value) =>
    JSON.stringify(one) === JSON.stringify(other) ? one : other;
  return {
    ...now,
    groups: kept(before.groups, now.groups),
    values: kept(before.values, now.values),
    accounts: kept(before.accounts, now.accounts),
  };
}

/** The pages that show these rows, and are missing or of another version. */
export function pagesToRequest(
  shown: ListPages | null,
  { key, version, first, last }: { key: string; version: string; first: number; last: number },
): number[] {
  const pages = shown?.key === key ? shown.pages : null;
  // There may be fewer rows now than when these places were seen.
  const end = shown?.key === key ? Math.max(0, shown.whole.matching - 1) : last;
  const wanted: number[] = [];
  for (let page = pageOf(Math.min(first, end)); page <= pageOf(Math.min(last, end)); page += 1) {
    if (pages?.get(page)?.version !== version) {
      wanted.push(page);
    }
  }
  return wanted;
}

function pageOf(offset: number): number {
  return Math.floor(Math.max(0, offset) / pageSize);
}

/** The row at that place; undefined: it isn’t known. */
export function rowAt(shown: ListPages | null, offset: number): ProfileRowView | undefined {
  return shown?.pages.get(pageOf(offset))?.rows[offset % pageSize];
}

/** A row that the user is at, by its place, and by its name once that is known. */
export interface Cursor {
  offset: number;
  name: string | null;
}

/** Where that row is now: profiles that come and go move the others. */
export function placeNow(shown: ListPages | null, { offset, name }: Cursor): number {
  const last = Math.max(0, (shown?.whole.matching ?? offset + 1) - 1);
  const here = rowAt(shown, offset);
  if (name === null || !here || wholeNameOf(here) === name) {
    return Math.min(offset, last);
  }
  for (const [page, { rows }] of shown?.pages ?? []) {
    const index = rows.findIndex((row) => wholeNameOf(row) === name);
    if (index !== -1) {
      return page * pageSize + index;
    }
  }
  return Math.min(offset, last);
}
