import { BrokerError, refusalError } from '../../../contract/broker-error.ts';
import type { ProfileNameView } from '../../../contract/ui/calls/inventories.ts';
import { profilesPage, selectedProfiles } from '../../../contract/ui/profile-query.ts';
import { findSameCluster } from '../../../domain/inventory/same-cluster.ts';
import type { Inventories } from '../../../inventory/inventories.ts';
import { wholeName } from '../../../operations/inventories/find-profiles.ts';
import { ignoredTexts, profileFacts } from '../../../operations/inventories/profile-facts.ts';
import type { ProfileIndex, ProfileList } from '../../../operations/inventories/profile-index.ts';
import type { ProfileRow } from '../../../operations/inventories/profile-rows.ts';
import {
  contextNameFor,
  dropProfiles,
  prepareUse,
  type UseProfilesDeps,
  useProfiles,
} from '../../../operations/inventories/use-profiles.ts';
import type { Gate } from '../../../ports/broker-core.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Vault } from '../../../ports/vault.ts';
import type { UiHandlers } from '../handlers.ts';
import { profileRowView, profileRowViews } from '../state/profile-row-view.ts';
import { createAskingLimit } from './limit-asking.ts';
import { mustHaveVault } from './vault-made.ts';

export interface InventoryCallsDeps extends UseProfilesDeps {
  bindings: UseProfilesDeps['bindings'] & {
    pending(what: 'cluster', name: string): { served: boolean; lines: string[] } | null;
  };
  vault: UseProfilesDeps['vault'] & Pick<Vault, 'state'>;
  inventories: Pick<Inventories, 'profile' | 'profilesOf' | 'problems' | 'sync'>;
  profiles: Pick<ProfileIndex, 'read'>;
  gate: Gate;
  clock: Pick<Clock, 'boottime'>;
}

/** Each sync is a click of the user; a hub counts requests, too. */
const syncLimits = { atOnce: 4, perMinute: 20 };
/** The most names that one call selects. */
const mostSelected = 1_000;

type Names = Extract<keyof UiHandlers, `inventory.${string}`>;

/** The profiles of inventories: listed in parts, shown, used and dropped. */
export function createInventoryCalls(deps: InventoryCallsDeps): Pick<UiHandlers, Names> {
  const limitSyncs = createAskingLimit(syncLimits, deps.clock);
  const mustBeOpen = () => {
    const refusal = deps.gate();
    if (refusal) {
      throw refusalError(refusal);
    }
  };
  const list = async (): Promise<ProfileList> => {
    mustBeOpen();
    return deps.profiles.read();
  };
  return {
    'inventory.profiles': async (wanted) => profilesPage(profileRowViews(await list()), wanted),
    'inventory.matching': async (query) =>
      selectedProfiles(profileRowViews(await list()), query, mostSelected),
    'inventory.profile': async ({ profile }) => {
      const all = await list();
      const [row] = rowsOf([profile], all);
      return profileDetail(row as ProfileRow, all, deps);
    },
    'inventory.problems': async ({ inventory }) => {
      mustBeOpen();
      return { problems: [...deps.inventories.problems(inventory)] };
    },
    'inventory.sync': ({ inventory }) =>
      limitSyncs(async () => {
        mustBeOpen();
        const fault = await deps.inventories.sync(inventory);
        return { fault, profiles: [...deps.inventories.profilesOf(inventory)].length };
      }),
    'inventory.use': async ({ profiles }) => {
      mustHaveVault(deps.vault);
      const prepared = prepareUse(rowsOf(profiles, await list()), deps);
      const warnings = await useProfiles(prepared, deps, { confirms: false });
      return {
        contexts: prepared.clusters.map(({ name }) => name),
        held: prepared.changes.length,
        warnings,
      };
    },
    'inventory.drop': async ({ profiles }) => {
      mustBeOpen();
      // Also those that are gone from their inventories.
      const wanted = new Set(profiles.map((profile) => wholeName({ profile })));
      const contexts = deps.used
        .current()
        .filter((each) => each.chosen !== 'no' && wanted.has(wholeName({ profile: each })))
        .map(({ contextName }) => contextName);
      return { contexts, warnings: await dropProfiles(contexts, deps) };
    },
  };
}

/** In the order of the names, each once. Throws BrokerError where one isn’t there. */
function rowsOf(names: readonly ProfileNameView[], { rows }: ProfileList): ProfileRow[] {
  const wanted = new Set(names.map((profile) => wholeName({ profile })));
  const found = new Map<string, ProfileRow>();
  for (const row of rows) {
    const name = wholeName(row);
    if (wanted.has(name)) {
      found.set(name, row);
    }
  }
  return [...wanted].map((name) => {
    const row = found.get(name);
    if (!row) {
      throw new BrokerError('profile.unknown', 'the profile is no longer there', {
        reason: 'notFound',
        hint: 'its hub has removed it, or it was never there',
      });
    }
    return row;
  });
}

function profileDetail(row: ProfileRow, { rows }: ProfileList, deps: InventoryCallsDeps) {
  const { profile, resolution, chosen, state } = row;
  const facts = profileFacts(row);
  const also = findSameCluster(rows.map((each) => each.profile))(profile);
  const held = state === 'pending' && chosen ? deps.bindings.pending('cluster', chosen.contextName) : null;
  return {
    row: profileRowView(row),
    uid: profile.uid,
    contextName: contextNameFor(row, deps),
    memberId: profile.memberId,
    alsoListed: {
      count: also.count,
      profiles: also.profiles.map(({ inventory, namespace, name }) => ({ inventory, namespace, name })),
    },
    labels: [...profile.labels].map(([label, value]): [string, string] => [label, value]),
    conditions: [...profile.conditions],
    why: resolution.ok ? resolution.why : null,
    facts: facts.map(({ label, value }): [string, string] => [label, value]),
    warnings: facts.flatMap(({ label, warning }) => (warning === null ? [] : [`${label}: ${warning}`])),
    ignored: ignoredTexts(row),
    problems: [...profile.problems],
    held: held && { served: held.served, lines: held.lines },
  };
}
