import { createHash } from 'node:crypto';
import { cleanName } from '../import/clean-name.ts';
import { latinOf } from '../import/latin.ts';
import type { LoadedCluster } from '../loaded-config.ts';
import type { Profile, ProfileName } from './profile.ts';
import { fillTemplate } from './template.ts';

/** The variables of `contextName`. */
export const contextNameVariables = [
  'clusterset',
  'location',
  'displayName',
  'namespace',
  'name',
  'inventory',
] as const;

/** What of a profile its context’s name is made of. */
export type NamedProfile = Pick<
  Profile,
  'inventory' | 'namespace' | 'name' | 'uid' | 'clusterset' | 'location' | 'displayName'
>;

/** A context’s name that a profile was given. */
export interface GivenName extends ProfileName {
  /** That of the profile at the time: a profile made again has another, and is another. */
  uid: string | null;
  contextName: string;
}

/** Leaves room for a suffix within config.yaml’s 128 characters. */
const longestBase = 100;
/** Hex digits of a suffix; more where two profiles have the same. */
const suffixDigits = 6;
const mostDigits = 27;

/**
 * The name that a profile’s context gets where it is free: a name as config.yaml accepts it. A value’s own characters
 * never stand for the template’s separators (`/`, `@`, `:`); an empty value takes the separator after it along.
 */
export function wantedContextName(profile: NamedProfile, template: string): string {
  const plain = (value: string | null) =>
    latinOf(value ?? '')
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^-+|-+$/g, '');
  const values: Record<string, string> = Object.fromEntries(
    contextNameVariables.map((name) => [name, plain(profile[name])]),
  );
  const present = template.replace(/\{([A-Za-z]+)\}[-._@:/]*/g, (whole, name: string) =>
    values[name] === '' ? '' : whole,
  );
  const filled = fillTemplate(present, values)
    .slice(0, longestBase)
    .replace(/[-._@:/]+$/, '');
  return cleanName(filled, profile.name.slice(0, longestBase));
}

/**
 * The contexts’ names of profiles, by the profile. A name that was given stays with its profile, and is nobody else’s
 * as long as it is among `given`. Of the others, in the order of their own names, the first gets the name that it wants
 * and each further one a suffix of its identity: so the order in which they arrive doesn’t count. `isTaken`: names of
 * others, such as the clusters of config.yaml, which win over a name that was given. Names that differ in case alone count as the same
 * (rule: remote-inventory).
 */
export function contextNames<Named extends NamedProfile>(
  profiles: readonly Named[],
  options: {
    template: (profile: Named) => string;
    given: readonly GivenName[];
    isTaken: (name: string) => boolean;
  },
): Map<Named, string> {
  const { template, given, isTaken } = options;
  const byIdentity = new Map(given.map((each) => [identityOf(each), each.contextName]));
  const used = new Set(given.map(({ contextName }) => contextName.toLowerCase()));
  const isFree = (name: string) => !used.has(name.toLowerCase()) && !isTaken(name);
  const names = new Map<Named, string>();
  const sorted = profiles
    .map((profile) => ({ profile, identity: identityOf(profile) }))
    .sort((a, b) => (a.identity < b.identity ? -1 : a.identity > b.identity ? 1 : 0));
  for (const { profile, identity } of sorted) {
    const earlier = byIdentity.get(identity);
    const name =
      earlier !== undefined && !isTaken(earlier)
        ? earlier
        : freeName(wantedContextName(profile, template(profile)), identity, isFree);
    used.add(name.toLowerCase());
    names.set(profile, name);
  }
  return names;
}

/** Whether a cluster of config.yaml itself has a name, in whatever case. */
export function takenByConfig(
  clusters: ReadonlyMap<string, Pick<LoadedCluster, 'origin'>>,
): (name: string) => boolean {
  const names = new Set(
    [...clusters].flatMap(([name, { origin }]) => (origin === undefined ? [name.toLowerCase()] : [])),
  );
  return (name) => names.has(name.toLowerCase());
}

type Identity = ProfileName & { uid: string | null };

function identityOf({ inventory, namespace, name, uid }: Identity): string {
  return JSON.stringify([inventory, namespace, name, uid]);
}

function freeName(base: string, identity: string, isFree: (name: string) => boolean): string {
  let name = base;
  // Who knows a profile before it is chosen can take names like its own, of each length: then another digest counts.
  for (let round = 0; !isFree(name); round++) {
    const digest = createHash('sha256')
      .update(`${identity}${round || ''}`)
      .digest('hex');
    for (let digits = suffixDigits; !isFree(name) && digits <= mostDigits; digits++) {
      name = `${base}-${digest.slice(0, digits)}`;
    }
  }
  return name;
}
