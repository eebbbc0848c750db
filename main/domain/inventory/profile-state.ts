import type { ProfileState } from '../../contract/ui/calls/inventories.ts';

/** `gone`: in use, but its inventory no longer has it. */
const countedStates = [
  'inUse',
  'pending',
  'remade',
  'refused',
  'available',
  'unusable',
  'gone',
] as const satisfies readonly (ProfileState | 'gone')[];

/** How many profiles of an inventory are in which state. */
export type ProfileCounts = Readonly<Record<(typeof countedStates)[number], number>>;

export const noProfiles: ProfileCounts = {
  inUse: 0,
  pending: 0,
  remade: 0,
  refused: 0,
  available: 0,
  unusable: 0,
  gone: 0,
};
