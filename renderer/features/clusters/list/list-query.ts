import type { Health } from '../../../../main/contract/ui/health.ts';

export const shows = ['all', 'need', 'soon', 'bad'] as const;
export const sorts = ['need', 'name', 'left', 'asked'] as const;
export const groupings = ['need', 'account', 'none'] as const;

/** The filters and the order of the list. The address contains all of them. */
export interface ListQuery {
  show: (typeof shows)[number];
  /** Shows only this account's clusters; '': all. */
  account: string;
  sort: (typeof sorts)[number];
  group: (typeof groupings)[number];
  search: string;
  /** The selected cluster; '': the first. */
  at: string;
}

const usual: ListQuery = { show: 'all', account: '', sort: 'need', group: 'need', search: '', at: '' };

/** Reads the query of an address. Invalid parts get their defaults. */
export function readListQuery(text: string): ListQuery {
  const parts = new URLSearchParams(text);
  const one = <Value extends string>(name: string, of: readonly Value[], otherwise: Value): Value =>
    of.find((each) => each === parts.get(name)) ?? otherwise;
  return {
    show: one('show', shows, usual.show),
    account: parts.get('account') ?? '',
    sort: one('sort', sorts, usual.sort),
    group: one('group', groupings, usual.group),
    search: parts.get('q') ?? '',
    at: parts.get('at') ?? '',
  };
}

/** Writes the query as short as possible: leaves out defaults. */
export function writeListQuery(query: ListQuery): string {
  const names = {
    show: 'show',
    account: 'account',
    sort: 'sort',
    group: 'group',
    search: 'q',
    at: 'at',
  } as const;
  const parts = new URLSearchParams();
  for (const [key, name] of Object.entries(names) as [keyof ListQuery, string][]) {
    if (query[key] !== usual[key]) {
      parts.set(name, query[key]);
    }
  }
  return parts.toString();
}

/** Whether a filter shows this health. Clusters with trouble need the user, too. */
export function isShown(how: Health, show: ListQuery['show']): boolean {
  return show === 'all' || how === show || (show === 'need' && how === 'bad');
}
