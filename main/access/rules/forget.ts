import { groupOf, kindNames } from '../../contract/config/config.ts';
import { hasLeftovers } from '../../domain/approval/account-leftovers.ts';
import { editable } from '../../domain/approval/editable.ts';
import { approvedProfile } from '../../domain/inventory/approved-profile.ts';
import type { Confirmed, EntryName, LoadedConfig } from '../../domain/loaded-config.ts';

/** Removes what was approved of these. */
export function withoutEntries(confirmed: Confirmed, entries: readonly EntryName[]): Confirmed {
  const next = editable(confirmed);
  for (const { what, name } of entries) {
    delete next[groupOf(what)][name];
    delete next.forms[groupOf(what)][name];
    if (what === 'account') {
      delete next.programs[name];
    }
  }
  return next;
}

/** Removes an account's login, its secrets and what was approved of it. */
export function withoutAccount<
  Content extends Record<'sessions' | 'secrets', object> & { confirmed: Confirmed },
>(content: Content, name: string): Content {
  return {
    ...content,
    sessions: without(content.sessions, name),
    secrets: without(content.secrets, name),
    confirmed: withoutEntries(content.confirmed, [{ what: 'account', name }]),
  };
}

/**
 * Removes what was approved of entries that config.yaml no longer has. An account of which the vault has something
 * left stays: one by that name is that account restored or changed, never a new one that gets its secrets unnoticed. A
 * profile stays, too: it may be away for now, and its approval ends with its use (select-profiles.ts).
 */
export function withoutGone(
  confirmed: Confirmed,
  file: LoadedConfig,
  held: Parameters<typeof hasLeftovers>[0],
): Confirmed {
  const gone = kindNames().flatMap((what) =>
    Object.entries(confirmed[groupOf(what)])
      .filter(([name, shape]) => !file[groupOf(what)].has(name) && !isProfile(what, shape))
      .map(([name]) => ({ what, name })),
  );
  return withoutEntries(
    confirmed,
    gone.filter(({ what, name }) => what !== 'account' || !hasLeftovers(held, name)),
  );
}

function isProfile(what: EntryName['what'], shape: string): boolean {
  return what === 'cluster' && approvedProfile(shape) !== null;
}

function without(record: object, name: string): object {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
}
