import {
  type ImportedAccessProvider,
  importedProviders,
} from '../../../domain/import/access-providers/plan-access-providers.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { PreparedInventory } from '../../../operations/add-inventory/prepare.ts';
import { configDiffText, notesText, programsText } from '../import-parts.ts';
import { table } from '../table.ts';

/** The plan in the order in which it is read: what becomes of what, what would run, what to know, what is written. */
export function inventoryPlanText(prepared: PreparedInventory, configFile: string): string {
  const { plan } = prepared;
  const fresh = importedProviders(plan).filter(({ accountExists }) => !accountExists);
  return [
    ...(plan.length === 0
      ? []
      : [
          table([
            ['PROVIDER', 'IMPORTED AS'],
            ...plan.map(({ provider, becomes }) => [visibleText(provider, 80), becomesText(becomes)]),
          ]),
        ]),
    ...programsText(
      fresh.map(({ account, accountValue: { execPlugin: plugin }, program }) => ({
        account,
        plugin,
        program,
      })),
    ),
    ...notesText(
      plan.flatMap(({ provider, notes }) => notes.map((note) => `${visibleText(provider, 80)}: ${note}`)),
    ),
    ...configDiffText(prepared, configFile),
  ].join('\n\n');
}

function becomesText(becomes: ImportedAccessProvider | { left: string }): string {
  return 'left' in becomes
    ? `skipped: ${visibleText(becomes.left, 1000)}`
    : `account ${becomes.account}${becomes.accountExists ? ' (there already)' : ''}`;
}

/** For programs. No secret is in it. */
export function inventoryPlanJson(name: string, { plan, value }: PreparedInventory) {
  return {
    name,
    inventory: value,
    providers: plan.map(({ provider, becomes, notes }) => ({
      provider,
      ...('left' in becomes
        ? { left: becomes.left, account: null, program: null }
        : {
            left: null,
            account: { name: becomes.account, exists: becomes.accountExists, ...becomes.accountValue },
            program:
              becomes.program.kind === 'program'
                ? {
                    path: becomes.program.path,
                    target: becomes.program.target,
                    owner: becomes.program.owner,
                    sha256: becomes.program.sha256,
                  }
                : null,
          }),
      notes,
    })),
  };
}
