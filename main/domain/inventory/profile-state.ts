/**
 * What becomes of a profile. `inUse`: a context of kubectl’s. `pending`: the same, and not approved as it is. `remade`:
 * in use, but the hub has made it again since, and it has to be chosen anew. `refused`: in use, but another cluster has
 * its name or server.
 */
export type ProfileState = 'inUse' | 'pending' | 'remade' | 'refused' | 'available' | 'unusable';

/** `gone`: in use, but its inventory no longer has it. */
export const countedStates = [
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
