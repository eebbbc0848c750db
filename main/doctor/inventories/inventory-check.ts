import { agoText } from '../../contract/ui/time-texts.ts';
import type { LoadedInventory } from '../../domain/loaded-config.ts';
import { observe } from '../../domain/text/finding.ts';
import { shownName } from '../../domain/text/shown-name.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import { profileVersions } from '../../inventory/hub-path.ts';
import type { InventoryState, ProfileProblem } from '../../inventory/inventory-state.ts';
import type { Directory, Gate } from '../../ports/broker-core.ts';
import { type Check, firstOf, type Observed } from '../check.ts';
import type { InventorySide } from './inventory-side.ts';
import { troubleAdvice } from './trouble-advice.ts';

export interface InventoryCheckDeps {
  gate: Gate;
  /** Whether it is approved. */
  isServed(inventory: string): boolean;
  directory: Pick<Directory, 'account' | 'cluster'>;
  inventories: InventorySide['inventories'];
}

/** Checks one inventory of config.yaml: whether its profiles are those of its source, and whether its accounts exist. */
export function inventoryCheck({ name, config }: LoadedInventory, deps: InventoryCheckDeps): Check {
  return {
    group: 'inventories',
    name: 'inventory',
    subject: name,
    run: () => {
      const found = observe('inventory');
      const shut = deps.gate();
      if (shut) {
        return [found.note(`not checked: ${shut.message}`, shut.hint ?? null)];
      }
      if (!deps.isServed(name)) {
        return [
          found.warning('it is pending approval, and isn’t read until then', `lanyard confirm ${name}`),
        ];
      }
      const hub = config.cluster === undefined ? null : deps.directory.cluster(config.cluster);
      return [
        ...(hub === null || hub.ok
          ? [observeState(name, deps, hub?.cluster.config.account ?? null)]
          : [found.problem(`its hub can’t be used: ${hub.message}`, hub.hint ?? null)]),
        ...config.providers.flatMap((provider) => observeProvider(provider, deps)),
        ...observeProblems(name, deps.inventories.problems(name)),
      ];
    },
  };
}

function observeState(
  name: string,
  { inventories }: Pick<InventoryCheckDeps, 'inventories'>,
  hubAccount: string | null,
): Observed {
  const found = observe('inventory.source');
  const state = inventories.state(name);
  if (state === null) {
    return found.note('it isn’t read yet', `lanyard inventory sync ${name}`);
  }
  const { kind, trouble, servedVersion } = state;
  if (trouble !== null) {
    const { level, hint } = troubleAdvice(trouble.code, { name, hubAccount });
    return found[level](
      `${visibleText(trouble.text, 400)}${kind === 'live' ? '' : `; ${ageText(state)}`}`,
      hint,
    );
  }
  if (kind !== 'live') {
    return found.note(`it is being read; ${ageText(state)}`, `lanyard inventory sync ${name}`);
  }
  return found.ok(`it is in sync${versionText(servedVersion)}`);
}

/** An older version is no fault: both are read alike. */
function versionText(served: string | null): string {
  const [newest] = profileVersions;
  return served === null ? '' : served === newest ? ` (${served})` : ` (${served}, older than ${newest})`;
}

function ageText({ lastSyncAt, lagMilliseconds }: InventoryState): string {
  return lastSyncAt === null
    ? 'it was never read completely'
    : `its profiles are as of ${agoText(lastSyncAt, lastSyncAt + (lagMilliseconds ?? 0))}`;
}

function observeProvider(
  { name, account }: LoadedInventory['config']['providers'][number],
  { directory }: Pick<InventoryCheckDeps, 'directory'>,
): Observed[] {
  const known = directory.account(account);
  return known.ok
    ? []
    : [
        observe('inventory.provider').problem(
          `profiles of the provider ${shownName(name)} get no credential: ${known.message}`,
          known.hint ?? null,
        ),
      ];
}

const problemsNamed = 3;

function observeProblems(inventory: string, problems: readonly ProfileProblem[]): Observed[] {
  if (problems.length === 0) {
    return [];
  }
  const { shown, more } = firstOf(problems, problemsNamed);
  const texts = shown.map(
    ({ namespace, name, text }) =>
      `${shownName(`${namespace ?? '?'}/${name ?? '?'}`)}: ${visibleText(text, 160)}`,
  );
  return [
    observe('inventory.objects').warning(
      `${problems.length === 1 ? 'one object is' : `${problems.length} objects are`} left out: ${texts.join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
      `lanyard inventory list --inventory ${inventory}`,
    ),
  ];
}
