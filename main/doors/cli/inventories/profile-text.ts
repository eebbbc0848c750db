import type { ProfileState } from '../../../contract/ui/calls/inventories.ts';
import { agoText } from '../../../contract/ui/time-texts.ts';
import type { Profile } from '../../../domain/inventory/profile.ts';
import type { FaultReason } from '../../../domain/inventory/resolve-profile.ts';
import type { AlsoListed } from '../../../domain/inventory/same-cluster.ts';
import { shownName } from '../../../domain/text/shown-name.ts';
import { styled } from '../../../domain/text/style.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { InventoryState } from '../../../inventory/inventory-state.ts';
import { wholeName } from '../../../operations/inventories/find-profiles.ts';
import { ignoredTexts, profileFacts } from '../../../operations/inventories/profile-facts.ts';
import type { ProfileRow } from '../../../operations/inventories/profile-rows.ts';
import { heading } from '../status/state-text.ts';
import { table } from '../table.ts';

/** Profiles, a line each; the inventory is a column where there are several. */
export function profilesTable(
  rows: readonly ProfileRow[],
  inventories: number,
  alsoListed: (profile: Profile) => AlsoListed,
  columns: number | null,
): string {
  const own = inventories > 1;
  const isTwice = rows.some(({ profile }) => alsoListed(profile).count > 0);
  return table(
    [
      heading(
        'PROFILE',
        ...(own ? ['INVENTORY'] : []),
        'CLUSTERSET',
        'LOCATION',
        'VERSION',
        'PROVIDER',
        'CONTEXT',
        ...(isTwice ? ['ALSO LISTED'] : []),
        'STATE',
      ),
      ...rows.map(({ profile, resolution, chosen, state }) => [
        `${profile.namespace}/${profile.name}`,
        ...(own ? [profile.inventory] : []),
        shownOr(profile.clusterset),
        shownOr(profile.location),
        shownOr(profile.version),
        shownOr(resolution.provider),
        chosen === null || chosen.chosen === 'no' ? '-' : chosen.contextName,
        ...(isTwice ? [countText(alsoListed(profile))] : []),
        resolution.ok
          ? profileStateText(state)
          : `${profileStateText(state)}: ${faultTexts[resolution.reason]}`,
      ]),
    ],
    columns,
  );
}

/** One profile in full. */
export function profileText(row: ProfileRow, also: AlsoListed): string {
  const { profile, resolution, chosen, state } = row;
  const line = (name: string, value: string | null) =>
    value === null || value === '' ? [] : [`${`${name}:`.padEnd(16)}${value}`];
  return [
    ...line('Profile', wholeName(row)),
    ...line('State', profileStateText(state)),
    ...line('Problem', resolution.ok ? null : resolution.message),
    ...line('Conflict', state === 'refused' ? conflictText : null),
    ...line('Context', chosen !== null && chosen.chosen !== 'no' ? chosen.contextName : null),
    ...line('Display name', profile.displayName),
    ...line('Manager', shownOrNull(profile.manager)),
    ...line('Version', shownOrNull(profile.version)),
    ...line('Clusterset', shownOrNull(profile.clusterset)),
    ...line('Location', shownOrNull(profile.location)),
    ...line('Member id', shownOrNull(profile.memberId)),
    ...line('Also listed as', alsoListedText(also)),
    ...line('Provider', resolution.ok ? resolution.why : shownOrNull(resolution.provider)),
    ...profileFacts(row).flatMap(({ label, value, warning }) =>
      line(label, warning === null ? value : `${value} (${styled.yellow(warning)})`),
    ),
    ...ignoredTexts(row).flatMap((text) => line('Ignored', text)),
    ...profile.conditions.flatMap(({ type, status, reason, message }) =>
      line('Condition', [`${type}: ${status}`, reason, message].filter((each) => each !== '').join(', ')),
    ),
    ...profile.problems.flatMap((problem) => line('Unreadable', problem)),
  ].join('\n');
}

const conflictText = 'another cluster has its name, or its server with another CA, TLS name or proxy';

/** How an inventory stands, in one sentence. */
export function inventoryStateText(name: string, state: InventoryState): string {
  const { trouble } = state;
  return `${name}: ${inventoryKindText(state)}${trouble === null ? '' : `: ${visibleText(trouble.text)}`}`;
}

/** `live`, `starting`, or `stale` with its age. */
export function inventoryKindText({ kind, lastSyncAt, lagMilliseconds }: InventoryState): string {
  const age =
    lastSyncAt === null
      ? 'never read completely'
      : `as of ${agoText(lastSyncAt, lastSyncAt + (lagMilliseconds ?? 0))}`;
  return kind === 'live'
    ? styled.green('live')
    : kind === 'starting'
      ? 'starting'
      : styled.yellow(`stale, ${age}`);
}

const stateTexts: Record<ProfileState, string> = {
  inUse: styled.green('in use'),
  pending: styled.yellow('pending approval'),
  remade: styled.yellow('made again: use it anew'),
  refused: styled.red('name or server taken'),
  available: 'available',
  unusable: styled.red('unusable'),
};

/** In a few words; `show` has the sentence. */
const faultTexts: Record<FaultReason, string> = {
  noStatus: 'no status',
  noProviders: 'no access providers',
  noProvider: 'no provider of the inventory',
  badProvider: 'unreadable provider',
  noAccount: 'no such account',
  badServer: 'bad server',
  badAuthority: 'bad CA',
  badProxy: 'bad proxy',
  badArguments: 'bad arguments',
  badVariables: 'bad variables',
  badCluster: 'bad cluster data',
};

function countText({ count }: AlsoListed): string {
  return count === 0 ? '-' : count === 1 ? 'once more' : `${count} times more`;
}

/** A hint: whoever writes a profile can say that it is of any cluster. */
function alsoListedText({ count, profiles }: AlsoListed): string | null {
  const names = profiles.map((profile) => wholeName({ profile }));
  const more = count - names.length;
  return count === 0 ? null : `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function profileStateText(state: ProfileState): string {
  return stateTexts[state];
}

function shownOr(text: string | null): string {
  return shownOrNull(text) ?? '-';
}

function shownOrNull(text: string | null): string | null {
  return text === null ? null : shownName(text, 40);
}
