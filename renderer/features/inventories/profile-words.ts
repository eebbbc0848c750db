import type {
  ProfileField,
  ProfileHealth,
  ProfileState,
} from '../../../main/contract/ui/calls/inventories.ts';
import { counted, countText } from '../../../main/contract/ui/count-text.ts';
import type { Health } from '../../../main/contract/ui/health.ts';
import type { InventoryView } from '../../../main/contract/ui/state.ts';
import { agoText, leftText } from '../../ui/time/index.ts';

/** A profile’s state, for users. */
export const stateWords: Readonly<Record<ProfileState, string>> = {
  inUse: 'In use',
  pending: 'Pending approval',
  remade: 'Made again',
  refused: 'Name or server taken',
  available: 'Available',
  unusable: 'Can’t be used',
};

export const stateMarks: Readonly<Record<ProfileState, Health>> = {
  inUse: 'good',
  pending: 'need',
  remade: 'need',
  refused: 'bad',
  available: 'idle',
  unusable: 'bad',
};

/** What the user can do about it; null: nothing is to be done. */
export const stateMeans: Readonly<Record<ProfileState, string | null>> = {
  inUse: null,
  pending: 'Approve it to use it as it is now.',
  remade: 'The hub has deleted this profile and made it again since you added it. Add it again to use it.',
  refused: 'Another cluster has its name or its server. Add this profile again if it is the right one.',
  available: null,
  unusable: null,
};

export const healthMarks: Readonly<Record<ProfileHealth, { health: Health; label: string }>> = {
  good: { health: 'good', label: 'Healthy' },
  bad: { health: 'bad', label: 'Unhealthy' },
  unknown: { health: 'idle', label: 'Health unknown' },
};

export const fieldLabels: Readonly<Record<ProfileField, string>> = {
  inventory: 'Inventory',
  namespace: 'Namespace',
  state: 'State',
  health: 'Health',
  clusterset: 'Clusterset',
  location: 'Location',
  version: 'Version',
  manager: 'Manager',
  provider: 'Provider',
  account: 'Account',
};

/** A value of a field, for users. */
export function valueWords(field: ProfileField, value: string): string {
  if (field === 'state' && Object.hasOwn(stateWords, value)) {
    return stateWords[value as ProfileState];
  }
  if (field === 'health' && Object.hasOwn(healthMarks, value)) {
    return healthMarks[value as ProfileHealth].label;
  }
  return value === '' ? `No ${fieldLabels[field].toLowerCase()}` : value;
}

type Source = Pick<InventoryView, 'state' | 'lastSyncAt' | 'trouble' | 'retryAt'>;

/** How a source is, as a mark. */
export function sourceHealth({ state, lastSyncAt, trouble }: Source): Health {
  switch (state) {
    case 'live':
      return 'good';
    case 'stale':
      return lastSyncAt === null ? 'bad' : 'soon';
    case 'starting':
      return trouble === null ? 'idle' : 'bad';
    case 'held':
      return 'need';
    case 'locked':
      return 'locked';
  }
}

/** The same in a few words: `Live, as of 20 s ago`. */
export function sourceWords({ state, lastSyncAt, trouble }: Source, now: number): string {
  const ago = lastSyncAt === null ? null : agoText(lastSyncAt, now);
  switch (state) {
    case 'live':
      return ago === null ? 'Live' : `Live, as of ${ago}`;
    case 'stale':
      return ago === null ? 'Never read completely' : `Stale: last known state, ${ago}`;
    case 'starting':
      return trouble === null ? 'Reading the source…' : 'Never read completely';
    case 'held':
      return 'Pending approval: not read until you approve it';
    case 'locked':
      return 'Locked: not read until Lanyard is unlocked';
  }
}

/** When it is tried again: `Trying again in 40 s`; empty: that isn’t known. */
export function retryWords({ retryAt }: Source, now: number): string {
  if (retryAt === null) {
    return '';
  }
  return retryAt - now < 1000 ? 'Trying again now.' : `Trying again in ${leftText(retryAt - now)}.`;
}

/** `32 profiles: 12 in use, 1 pending approval, 2 can’t be used`. */
export function countWords({ profiles }: Pick<InventoryView, 'profiles'>): string {
  const parts = (
    [
      ['inUse', 'in use'],
      ['pending', 'pending approval'],
      ['remade', 'made again'],
      ['refused', 'name or server taken'],
      ['unusable', 'can’t be used'],
    ] as const
  ).flatMap(([state, words]) => (profiles[state] === 0 ? [] : [`${countText(profiles[state])} ${words}`]));
  return `${counted(profiles.total, 'profile')}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
}
