import { z } from 'zod';
import { parseJson } from '../../base/parse-json.ts';
import type { Profile } from './profile.ts';

/** What makes a profile that one: a profile that was made again has another UID, and is another. */
export type ProfileIdentity = Pick<Profile, 'inventory' | 'namespace' | 'name' | 'uid'>;

/** As `clusterShape` writes it: inventory, whole name, provider and, where there is one, the UID. */
const schema = z.object({
  server: z.string(),
  profile: z.tuple([z.string(), z.string(), z.string()]).rest(z.string()),
});

/** The profile’s server, as it was approved in this shape (rule: confirmed-binding); null: it is of no profile. */
export function approvedProfile(
  shape: string,
): { server: string; isOf(profile: ProfileIdentity): boolean } | null {
  const read = schema.safeParse(parseJson(shape));
  if (!read.success) {
    return null;
  }
  const { server, profile } = read.data;
  const [inventory, name, , uid = null] = profile;
  return {
    server,
    isOf: (other) =>
      inventory === other.inventory && name === `${other.namespace}/${other.name}` && uid === other.uid,
  };
}
