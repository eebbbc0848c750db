import type { ChosenProfile } from '../../domain/inventory/chosen-profiles.ts';
import { isGone } from '../../domain/inventory/gone-profile.ts';
import { ignoredText } from '../../domain/inventory/profile-variables.ts';
import { observe } from '../../domain/text/finding.ts';
import { shownName } from '../../domain/text/shown-name.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import type { Gate } from '../../ports/broker-core.ts';
import { type Check, firstOf, type Observed } from '../check.ts';
import type { CheckedProfile, InventorySide } from './inventory-side.ts';

export interface ProfilesCheckDeps extends InventorySide {
  gate: Gate;
}

/** Checks the profiles of one inventory: those in use one by one, all others as a number. */
export function profilesCheck(inventory: string, deps: ProfilesCheckDeps): Check {
  return {
    group: 'inventories',
    name: 'inventory.profiles',
    subject: inventory,
    run: async () => {
      // The inventory’s own check says so.
      if (deps.gate()) {
        return [];
      }
      const { rows: all } = await deps.profiles.read();
      const rows = all.filter(({ profile }) => profile.inventory === inventory);
      return [
        ...observeUsed(inventory, rows.filter(isChosen)),
        ...observeGone(inventory, deps),
        ...observeOthers(
          inventory,
          rows.filter((row) => !isChosen(row)),
        ),
      ];
    },
  };
}

function isChosen({ chosen }: CheckedProfile): boolean {
  return chosen !== null && chosen.chosen !== 'no';
}

function observeUsed(inventory: string, used: readonly CheckedProfile[]): Observed[] {
  const found = observe('inventory.profiles');
  const of = (state: CheckedProfile['state']) => used.filter((row) => row.state === state);
  const [unusable, refused, remade, pending] = [of('unusable'), of('refused'), of('remade'), of('pending')];
  const inUse = of('inUse');
  const ignoring = used.flatMap((row) =>
    row.resolution.ok && row.resolution.ignored.length > 0
      ? [`${nameOf(row)}: ${row.resolution.ignored.map(ignoredText).join(', ')}`]
      : [],
  );
  const list = `lanyard inventory list --inventory ${inventory} --in-use`;
  return [
    ...(unusable.length > 0
      ? [
          observe('inventory.unusable').problem(
            `${counted(unusable, 'in use')} can’t be used: ${firstTexts(unusable.map(faultText))}`,
            list,
          ),
        ]
      : []),
    ...(refused.length > 0
      ? [
          found.warning(
            `${counted(refused, 'in use')} ${refused.length === 1 ? 'has' : 'have'} the name or server of another cluster: ${firstTexts(refused.map(nameOf))}`,
            `remove that cluster, or run: lanyard inventory drop ${contextOf(refused[0])}`,
          ),
        ]
      : []),
    ...(remade.length > 0
      ? [
          found.warning(
            `${counted(remade, 'in use')} ${remade.length === 1 ? 'was' : 'were'} made again: ${firstTexts(remade.map(nameOf))}`,
            `lanyard inventory use ${inventory}:${nameOf(remade[0] as CheckedProfile)}`,
          ),
        ]
      : []),
    ...(pending.length > 0
      ? [
          found.warning(
            `${counted(pending, 'in use')} pending approval: ${firstTexts(pending.map(nameOf))}`,
            'lanyard confirm',
          ),
        ]
      : []),
    ...(ignoring.length > 0
      ? [
          observe('inventory.ignored').note(
            `what profiles in use state is ignored: ${firstTexts(ignoring)}`,
            `if it should count, change the policies of the provider of ${inventory} in config.yaml`,
          ),
        ]
      : []),
    ...(inUse.length > 0 ? [found.ok(`${counted(inUse, 'in use')}, approved`)] : []),
  ];
}

function observeGone(inventory: string, { inventories, used }: ProfilesCheckDeps): Observed[] {
  const gone = used.current().filter((each) => each.inventory === inventory && isGone(each, inventories));
  return gone.length === 0
    ? []
    : [
        observe('inventory.gone').warning(
          `${counted(gone, 'in use')} ${gone.length === 1 ? 'is' : 'are'} no longer in the inventory: ${firstTexts(gone.map(fullName))}`,
          `to remove the first: lanyard inventory drop ${gone[0]?.contextName}`,
        ),
      ];
}

function observeOthers(inventory: string, others: readonly CheckedProfile[]): Observed[] {
  const unusable = others.filter(({ state }) => state === 'unusable');
  return unusable.length === 0
    ? []
    : [
        observe('inventory.unusable').note(
          `${unusable.length} of ${others.length} other profiles can’t be used: ${firstTexts(unusable.map(faultText))}`,
          `lanyard inventory list --inventory ${inventory}`,
        ),
      ];
}

function counted(all: readonly unknown[], what: string): string {
  return all.length === 1 ? `one profile ${what}` : `${all.length} profiles ${what}`;
}

/** More would fill the line; `lanyard inventory list` has all. */
const named = 3;

function firstTexts(texts: readonly string[]): string {
  const { shown, more } = firstOf(texts, named);
  return `${shown.map((text) => visibleText(text, 240)).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

function faultText(row: CheckedProfile): string {
  return row.resolution.ok ? nameOf(row) : `${nameOf(row)} ${row.resolution.message}`;
}

function nameOf({ profile }: CheckedProfile): string {
  return fullName(profile);
}

function fullName({ namespace, name }: Pick<ChosenProfile, 'namespace' | 'name'>): string {
  return shownName(`${namespace}/${name}`, 160);
}

function contextOf(row: CheckedProfile | undefined): string {
  return row?.chosen?.contextName ?? '';
}
