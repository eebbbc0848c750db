import { BrokerError } from '../../contract/broker-error.ts';
import type { Profile, ProfileName } from '../../domain/inventory/profile.ts';
import { nearestNames } from '../../domain/text/nearest-name.ts';
import { shownName } from '../../domain/text/shown-name.ts';
import type { ProfileRow } from './profile-rows.ts';

/** The whole name of a profile on the command line: `INVENTORY:NAMESPACE/NAME`. */
export function wholeName({ profile }: { profile: ProfileName }): string {
  return `${profile.inventory}:${profile.namespace}/${profile.name}`;
}

/**
 * The profile that the user means by `NAME`, `NAMESPACE/NAME`, `INVENTORY:NAMESPACE/NAME` or its context’s name. Throws
 * BrokerError where there is none, or where several have that name, which the hint lists.
 */
export function findProfile(rows: readonly ProfileRow[], wanted: string): ProfileRow {
  const matches = [
    (row: ProfileRow) => wholeName(row) === wanted,
    ({ chosen }: ProfileRow) => chosen !== null && chosen.chosen !== 'no' && chosen.contextName === wanted,
    ({ profile }: ProfileRow) => `${profile.namespace}/${profile.name}` === wanted,
    ({ profile }: ProfileRow) => profile.name === wanted,
  ];
  for (const match of matches) {
    const found = rows.filter(match);
    const [first] = found;
    if (first && found.length === 1) {
      return first;
    }
    if (first) {
      throw new BrokerError('profile.ambiguous', `${found.length} profiles are named ${shownName(wanted)}`, {
        reason: 'usage',
        hint: `say which: ${found.slice(0, 8).map(wholeName).join(', ')}${found.length > 8 ? ' …' : ''}`,
      });
    }
  }
  const near = nearestNames(
    wanted,
    rows.map(({ profile }) => profile.name),
  );
  throw new BrokerError('profile.unknown', `there is no profile named ${shownName(wanted)}`, {
    reason: 'notFound',
    hint:
      near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'lanyard inventory list shows what there is',
  });
}

/** The shortest name of each profile that means no other, with where it is. */
export function profileNames(profiles: readonly Profile[]): [name: string, about: string][] {
  const counts = new Map<string, number>();
  for (const profile of profiles) {
    for (const name of namesOf(profile)) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return profiles.map((profile) => {
    const names = namesOf(profile);
    const about = [profile.inventory, profile.clusterset, profile.location].filter((each) => each !== null);
    return [names.find((name) => counts.get(name) === 1) ?? wholeName({ profile }), about.join(' ')];
  });
}

function namesOf({ namespace, name }: Profile): string[] {
  return [name, `${namespace}/${name}`];
}
