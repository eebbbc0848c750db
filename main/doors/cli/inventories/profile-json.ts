import type { AlsoListed } from '../../../domain/inventory/same-cluster.ts';
import { wholeName } from '../../../operations/inventories/find-profiles.ts';
import type { ProfileRow } from '../../../operations/inventories/profile-rows.ts';

/** A profile for programs: what is known of it, what it resolves to, and its context. */
export function profileJson({ profile, resolution, chosen, state }: ProfileRow, also: AlsoListed): object {
  const { inventory, namespace, name, uid, displayName, manager, version, clusterset, location, memberId } =
    profile;
  return {
    inventory,
    namespace,
    name,
    uid,
    displayName,
    manager,
    version,
    clusterset,
    location,
    memberId,
    alsoListed: { count: also.count, profiles: also.profiles.map((each) => wholeName({ profile: each })) },
    labels: Object.fromEntries(profile.labels),
    conditions: profile.conditions,
    state,
    context: chosen === null || chosen.chosen === 'no' ? null : chosen.contextName,
    provider: resolution.provider,
    problem: resolution.ok ? null : { reason: resolution.reason, message: resolution.message },
    ...(resolution.ok && {
      cluster: resolution.config,
      certificateAuthority: resolution.certificateAuthorityPem,
      isExpectedServer: resolution.isExpectedServer,
      rewrittenFrom: resolution.rewrittenFrom,
      ignored: resolution.ignored,
    }),
    problems: profile.problems,
  };
}
