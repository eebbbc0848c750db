import type { Health } from '../../../../main/contract/ui/health.ts';

export const shows = ['all', 'need', 'soon', 'bad'] as const;
export const sorts = ['need', 'name', 'left', 'asked'] as const;
export const groupings = ['need', 'account', 'none'] as const;

/** What of the list is shown, and how: all of it is in the address. */
export interface ListQuery {
  show: (typeof shows)[number];
  /** Only this account's; '': all. */
  account: string;
  sort: (typeof sorts)[number];
  group: (typeof groupings)[number];
  search: string;
  /** The selected cluster; '': the first. */
  at: string;
}

const usual: ListQuery = { show: 'all', account: '', sort: 'need', group: 'need', search: '', at: '' };

/** Of an address's query; what makes no sense there is as usual. */
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

/** As short as it can be: what is as usual isn't said. */
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

/** Whether a filter shows a state: what is in trouble needs the user too. */
export function isShown(how: Health, show: ListQuery['show']): boolean {
  return show === 'all' || how === show || (show === 'need' && how === 'bad');
}
