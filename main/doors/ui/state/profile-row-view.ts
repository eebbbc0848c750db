import type { ProfileRowView } from '../../../contract/ui/calls/inventories.ts';
import { profileHealthOf } from '../../../domain/inventory/profile-health.ts';
import type { ProfileList } from '../../../operations/inventories/profile-index.ts';
import type { ProfileRow } from '../../../operations/inventories/profile-rows.ts';

/** A profile as a line of the page’s list. */
export function profileRowView({ profile, resolution, chosen, state }: ProfileRow): ProfileRowView {
  const { inventory, namespace, name, displayName, clusterset, location, version, manager } = profile;
  return {
    inventory,
    namespace,
    name,
    displayName,
    clusterset,
    location,
    version,
    manager,
    state,
    health: profileHealthOf(profile.conditions),
    provider: resolution.provider,
    account: resolution.ok ? resolution.config.account : null,
    server: resolution.ok ? resolution.config.server : null,
    context: chosen === null || chosen.chosen === 'no' ? null : chosen.contextName,
    problem: resolution.ok ? null : resolution.message,
    isExpectedServer: !resolution.ok || resolution.isExpectedServer,
    ignored: resolution.ok ? resolution.ignored.length : 0,
  };
}

const made = new WeakMap<ProfileList, readonly ProfileRowView[]>();

/** All lines of a list; made once for each. */
export function profileRowViews(list: ProfileList): readonly ProfileRowView[] {
  const views = made.get(list) ?? list.rows.map(profileRowView);
  made.set(list, views);
  return views;
}
