import {
  type ProfileField,
  type ProfileQuery,
  profileFields,
} from '../../../main/contract/ui/calls/inventories.ts';

/** The filters and the groups of the list. The address contains all of them. */
export interface ListQuery extends ProfileQuery {
  group: ProfileField | null;
  /** The place of the profile that was opened from the list, from 0; null: none was. */
  at: number | null;
}

/** As long as the contract takes it. */
const longest = 256;
const mostValues = 64;

/** Reads the query of an address. Invalid parts are left out. */
export function readListQuery(text: string): ListQuery {
  const parts = new URLSearchParams(text);
  const filters: ListQuery['filters'] = {};
  for (const field of profileFields) {
    const values = parts.getAll(field).filter((value) => value.length <= longest);
    if (values.length > 0) {
      filters[field] = values.slice(0, mostValues);
    }
  }
  const at = parts.get('at') ?? '';
  return {
    search: (parts.get('q') ?? '').slice(0, longest),
    filters,
    group: profileFields.find((field) => field === parts.get('group')) ?? null,
    at: /^\d{1,6}$/.test(at) ? Number(at) : null,
  };
}

/** Writes the query as short as possible: leaves out what is not set. */
export function writeListQuery({ search, filters, group, at }: ListQuery): string {
  const parts = new URLSearchParams();
  if (search !== '') {
    parts.set('q', search);
  }
  for (const field of profileFields) {
    for (const value of filters[field] ?? []) {
      parts.append(field, value);
    }
  }
  if (group !== null) {
    parts.set('group', group);
  }
  if (at !== null) {
    parts.set('at', String(at));
  }
  return parts.toString();
}

/** With this filter in place of the field’s own; no values: without one. */
export function withFilter(
  filters: ListQuery['filters'],
  field: ProfileField,
  values: readonly string[],
): ListQuery['filters'] {
  const { [field]: _, ...rest } = filters;
  return values.length === 0 ? rest : { ...rest, [field]: [...values] };
}
