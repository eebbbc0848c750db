import { expect, it } from 'vitest';
import { usualKinds } from '../../../main/contract/ui/activity-kinds.ts';
import { filterOf, readActivityQuery, writeActivityQuery } from './activity-query.ts';

const now = 1_800_000_000_000;

it('shows a day of all but requests if the address has no query', () => {
  expect(filterOf(readActivityQuery(''), now)).toEqual({ since: now - 86_400_000, kinds: usualKinds });
  expect(usualKinds).not.toContain('request');
});

it('shows requests where they are asked for', () => {
  const kindsOf = (text: string) => filterOf(readActivityQuery(text), now).kinds;
  expect(kindsOf('kinds=requests')).toEqual(['request', 'moreRequests']);
  expect(kindsOf('kinds=all')).toBeUndefined();
});

it('shows what the address says', () => {
  const text =
    'span=all&kinds=logins&decision=refused&door=kube&cluster=a%26b&registry=ghcr&account=corp&program=helm&search=x+y';
  const query = readActivityQuery(text);
  expect(filterOf(query, now)).toEqual({
    since: 0,
    kinds: ['login', 'logout'],
    decision: 'refused',
    door: 'kube',
    cluster: 'a&b',
    registry: 'ghcr',
    account: 'corp',
    program: 'helm',
    search: 'x y',
  });
  expect(writeActivityQuery(query)).toBe(text);
});

it('takes what makes no sense as usual', () => {
  const query = readActivityQuery('span=century&kinds=x&decision=maybe&door=');
  expect(filterOf(query, now)).toEqual({ since: now - 86_400_000, kinds: usualKinds });
  expect(writeActivityQuery(query)).toBe('');
});
