import { contextNames, type GivenName, type NamedProfile } from './context-names.ts';
import type { Profile, ProfileName } from './profile.ts';
import { sharedSlots } from './shared-slots.ts';

/** A profile that has a context’s name. */
export interface ChosenProfile extends GivenName {
  /**
   * Who chose it: the user, the inventory’s `select`, or nobody any more: then it is not in use, and not chosen by
   * `select` again; its name stays its own.
   */
  chosen: 'user' | 'selector' | 'no';
  /** The namespace that the user set in its context, while that is away; absent: none, or it is there. */
  contextNamespace?: string | undefined;
}

/** What of an inventory chooses profiles. */
export interface ChoosingInventory {
  name: string;
  contextName: string;
  /** So many contexts at most. */
  contexts: number;
  /** Of `select`; null: it chooses none. */
  selects: ((profile: Profile) => boolean) | null;
}

export interface Choosing {
  inventories: readonly ChoosingInventory[];
  profilesOf(inventory: string): Iterable<Profile>;
  /** Whether it can be used as it is now: others aren’t chosen, but stay. */
  isUsable(profile: Profile): boolean;
  /** Whether the user approved it, in this form or another. */
  isApproved(chosen: ChosenProfile): boolean;
  /** Names that clusters of config.yaml have. */
  isTaken(name: string): boolean;
}

export function isSameProfile(a: ProfileName, b: ProfileName): boolean {
  return a.inventory === b.inventory && a.namespace === b.namespace && a.name === b.name;
}

/**
 * The chosen profiles after `select` has had its say, up to the inventory’s `contexts`. Those that the user chose or
 * approved stay, and count. What is left is shared by namespaces (`shared-slots.ts`), and one that was never approved
 * leaves its place to another namespace: who can write one fills no inventory. The same object where nothing changes.
 */
export function withSelected(
  chosen: readonly ChosenProfile[],
  { inventories, profilesOf, isUsable, isApproved, isTaken }: Choosing,
): readonly ChosenProfile[] {
  let next = chosen;
  for (const inventory of inventories) {
    const profiles = [...profilesOf(inventory.name)];
    const selected = inventory.selects === null ? [] : profiles.filter(inventory.selects);
    next = withoutUnselected(next, { inventory: inventory.name, selected, profiles, isApproved });
    const known = new Map(next.map((each) => [keyOf(each), each]));
    const isKept = (profile: Profile) => {
      const found = known.get(keyOf(profile));
      return found !== undefined && (found.chosen !== 'selector' || isApproved(found));
    };
    const there = new Set(profiles.map(keyOf));
    // One that is gone keeps its name, and takes no other one’s place.
    const kept = next.filter(
      (each) =>
        each.inventory === inventory.name &&
        there.has(keyOf(each)) &&
        (each.chosen === 'user' || (each.chosen === 'selector' && isApproved(each))),
    );
    const wanting = selected
      .filter((profile) => !isKept(profile) && (known.has(keyOf(profile)) || isUsable(profile)))
      .sort(byName);
    const [before, others] = [
      wanting.filter((profile) => known.has(keyOf(profile))),
      wanting.filter((profile) => !known.has(keyOf(profile))),
    ];
    const given = sharedSlots([...before, ...others], {
      slots: inventory.contexts - kept.length,
      taken: kept,
    });
    const has = new Set(given.map(keyOf));
    const left = next.filter(
      (each) =>
        each.inventory !== inventory.name ||
        each.chosen !== 'selector' ||
        isApproved(each) ||
        has.has(keyOf(each)),
    );
    next = left.length === next.length ? next : left;
    const fresh = given.filter((profile) => !known.has(keyOf(profile))).sort(byName);
    if (fresh.length > 0) {
      next = [...next, ...named(fresh, inventory.contextName, next, isTaken, 'selector')];
    }
  }
  return next;
}

/**
 * The chosen profiles with these, by the user. A profile that was made again (another UID) takes the place of the
 * earlier one, with a name of its own choosing.
 */
export function withChosen(
  chosen: readonly ChosenProfile[],
  profiles: readonly NamedProfile[],
  { template, isTaken }: { template: (inventory: string) => string; isTaken(name: string): boolean },
): readonly ChosenProfile[] {
  const wanted = new Map(profiles.map((profile) => [keyOf(profile), profile]));
  const kept = chosen.flatMap((each): ChosenProfile[] => {
    if (wanted.has(keyOf(each)) && !isTaken(each.contextName)) {
      wanted.delete(keyOf(each));
      return [{ ...each, chosen: 'user' }];
    }
    return [...wanted.values()].some((profile) => isSameProfile(profile, each)) ? [] : [each];
  });
  const fresh = [...wanted.values()];
  const names = contextNames(fresh, {
    template: ({ inventory }) => template(inventory),
    given: kept,
    isTaken,
  });
  return [...kept, ...fresh.map((profile) => entryOf(profile, names.get(profile), 'user'))];
}

/** The chosen profiles without these contexts. What `select` chose stays known, so that it isn’t chosen again. */
export function withoutChosen(
  chosen: readonly ChosenProfile[],
  contexts: ReadonlySet<string>,
): readonly ChosenProfile[] {
  return chosen.map((each) => (contexts.has(each.contextName) ? { ...each, chosen: 'no' as const } : each));
}

/**
 * What `select` no longer has, and what was made again, is not in use. One that is gone for now keeps its name if it was
 * approved: the names of others could fill the file.
 */
function withoutUnselected(
  chosen: readonly ChosenProfile[],
  {
    inventory,
    selected,
    profiles,
    isApproved,
  }: {
    inventory: string;
    selected: readonly Profile[];
    profiles: readonly Profile[];
    isApproved: Choosing['isApproved'];
  },
): readonly ChosenProfile[] {
  const wanted = new Set(selected.map(keyOf));
  const there = new Set(profiles.map(nameOf));
  const kept = chosen.filter(
    (each) =>
      each.inventory !== inventory ||
      each.chosen !== 'selector' ||
      wanted.has(keyOf(each)) ||
      (!there.has(nameOf(each)) && isApproved(each)),
  );
  return kept.length === chosen.length ? chosen : kept;
}

function named(
  profiles: readonly Profile[],
  template: string,
  given: readonly GivenName[],
  isTaken: (name: string) => boolean,
  by: 'user' | 'selector',
): ChosenProfile[] {
  const names = contextNames(profiles, { template: () => template, given, isTaken });
  return profiles.map((profile) => entryOf(profile, names.get(profile), by));
}

function entryOf(
  { inventory, namespace, name, uid }: NamedProfile,
  contextName: string | undefined,
  by: 'user' | 'selector',
): ChosenProfile {
  return { inventory, namespace, name, uid, contextName: contextName ?? name, chosen: by };
}

type Identity = ProfileName & { uid: string | null };

// Thousands are compared at each change of one.
const keys = new WeakMap<Identity, string>();

function keyOf(identity: Identity): string {
  const { inventory, namespace, name, uid } = identity;
  const key = keys.get(identity) ?? JSON.stringify([inventory, namespace, name, uid]);
  keys.set(identity, key);
  return key;
}

/** None of the parts has a slash. */
function nameOf({ inventory, namespace, name }: ProfileName): string {
  return `${inventory}/${namespace}/${name}`;
}

function byName(a: ProfileName, b: ProfileName): number {
  const [first, second] = [`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`];
  return first < second ? -1 : first > second ? 1 : 0;
}
