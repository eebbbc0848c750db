import {
  type ProfileField,
  type ProfileQuery,
  type ProfileRowView,
  profileFields,
  profileState,
  type SelectedProfile,
} from './calls/inventories.ts';

/** The most groups, and values of a field, that a page is given. */
const mostGroups = 1_000;
export const mostValues = 64;

export interface ValueCount {
  value: string;
  count: number;
}

/** The words of a search, each in lower case. */
function wordsOf(search: string): string[] {
  return search.toLowerCase().split(/\s+/).filter(Boolean);
}

/** The text of a field; empty: the profile states none. */
export function fieldOf(row: ProfileRowView, field: ProfileField): string {
  return row[field] ?? '';
}

/** Those that match, in their order. */
function matchingProfiles(
  rows: readonly ProfileRowView[],
  { search, filters }: ProfileQuery,
): readonly ProfileRowView[] {
  const words = wordsOf(search);
  const wanted = Object.entries(filters).map(
    ([field, values]) => [field as ProfileField, new Set(values)] as const,
  );
  if (words.length === 0 && wanted.length === 0) {
    return rows;
  }
  return rows.filter(
    (row) =>
      wanted.every(([field, values]) => values.has(fieldOf(row, field))) &&
      (words.length === 0 || words.every((word) => searchText(row).includes(word))),
  );
}

/** A part of the list, with the headings and filters of all of it; see the call `inventory.profiles`. */
export function profilesPage(
  rows: readonly ProfileRowView[],
  query: ProfileQuery & { group: ProfileField | null; offset: number; most: number },
) {
  const matching = matchingProfiles(rows, query);
  const groups = query.group === null ? [] : groupsOf(matching, query.group);
  const ordered = query.group === null ? matching : inGroups(matching, query.group, groups);
  return {
    total: rows.length,
    matching: matching.length,
    rows: ordered.slice(query.offset, query.offset + query.most),
    groups: groups.slice(0, mostGroups),
    values: valuesOf(rows),
    accounts: commonest(matching, 'account'),
  };
}

/** All that match, `most` at most. */
export function selectedProfiles(rows: readonly ProfileRowView[], query: ProfileQuery, most: number) {
  const matching = matchingProfiles(rows, query);
  const profiles = matching.slice(0, most).map(
    ({ inventory, namespace, name, state, context }): SelectedProfile => ({
      inventory,
      namespace,
      name,
      state,
      context,
    }),
  );
  return { profiles, matching: matching.length };
}

const texts = new WeakMap<ProfileRowView, string>();

/** Made once for each row: a search reads those of ten thousand at each key. */
function searchText(row: ProfileRowView): string {
  const known = texts.get(row);
  if (known !== undefined) {
    return known;
  }
  const { inventory, namespace, name, displayName, context, server } = row;
  const { clusterset, location, version, manager, provider, account } = row;
  const text = [
    `${inventory}:${namespace}/${name}`,
    ...[displayName, context, server, clusterset, location, version, manager, provider, account],
  ]
    .join('\n')
    .toLowerCase();
  texts.set(row, text);
  return text;
}

function countsOf(rows: readonly ProfileRowView[], field: ProfileField): ValueCount[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = fieldOf(row, field);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].map(([value, count]) => ({ value, count }));
}

function commonest(rows: readonly ProfileRowView[], field: ProfileField): ValueCount[] {
  const counts = countsOf(rows, field);
  const compare = comparing(counts);
  return counts.sort((a, b) => b.count - a.count || compare(a.value, b.value)).slice(0, mostValues);
}

type FieldValues = Partial<Record<ProfileField, ValueCount[]>>;
const values = new WeakMap<readonly ProfileRowView[], FieldValues>();

/** Made once for each list: a page asks at each key and scroll, and the broker serves no one meanwhile. */
function valuesOf(rows: readonly ProfileRowView[]): FieldValues {
  const fields = profileFields.filter((field) => field !== 'namespace');
  const made: FieldValues =
    values.get(rows) ?? Object.fromEntries(fields.map((field) => [field, commonest(rows, field)]));
  values.set(rows, made);
  return made;
}

/** What is in use comes first, and what needs the user; what states nothing comes last. */
function groupsOf(rows: readonly ProfileRowView[], field: ProfileField): ValueCount[] {
  const groups = countsOf(rows, field);
  if (field === 'state') {
    const place = new Map<string, number>(profileState.options.map((state, index) => [state, index]));
    return groups.sort((a, b) => (place.get(a.value) ?? 0) - (place.get(b.value) ?? 0));
  }
  const compare = comparing(groups);
  return groups.sort((a, b) => Number(a.value === '') - Number(b.value === '') || compare(a.value, b.value));
}

function inGroups(
  rows: readonly ProfileRowView[],
  field: ProfileField,
  groups: readonly ValueCount[],
): ProfileRowView[] {
  const byGroup = new Map<string, ProfileRowView[]>(groups.map(({ value }) => [value, []]));
  for (const row of rows) {
    byGroup.get(fieldOf(row, field))?.push(row);
  }
  return [...byGroup.values()].flat();
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** As people sort names; of more than there are headings by code units, which is faster: a hub chooses them. */
function comparing(values: readonly ValueCount[]): (a: string, b: string) => number {
  const plain = (a: string, b: string) => (a < b ? -1 : 1);
  return values.length > mostGroups ? plain : (a, b) => collator.compare(a, b) || plain(a, b);
}
