import type { ImportedProvider, PlannedProvider } from '../../../domain/import/providers/planned-provider.ts';
import { importedOf } from '../../../domain/import/providers/planned-provider.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { PreparedProviders } from '../../../operations/import-providers/prepare.ts';
import { configDiffText, notesText, programsText } from '../import-parts.ts';
import { table } from '../table.ts';

/** The plan in the order in which it is read: what becomes of what, what would run, what to know, what is written. */
export function providerPlanText(prepared: PreparedProviders, configFile: string): string {
  const { source, plan } = prepared;
  return [
    `From ${visibleText(source.path)}, with the plugins in ${visibleText(source.binFolder)}:`,
    table([['PROVIDER', 'IMAGES', 'IMPORTED AS'], ...plan.providers.map(row)]),
    ...programs(importedOf(plan)),
    ...notes(prepared),
    ...configDiffText(prepared, configFile),
  ].join('\n\n');
}

function row({ provider, matchImages, becomes }: PlannedProvider): string[] {
  const [first = '', ...more] = matchImages;
  const images = `${visibleText(first, 80)}${more.length > 0 ? ` and ${more.length} more` : ''}`;
  return [visibleText(provider, 80), images, becomesText(becomes)];
}

function becomesText(becomes: PlannedProvider['becomes']): string {
  if ('left' in becomes) {
    return `skipped: ${becomes.left}`;
  }
  const { account, accountExists, registry, registryExists } = becomes;
  const there = (exists: boolean) => (exists ? ' (there already)' : '');
  return `account ${account}${there(accountExists)}, registry ${registry}${there(registryExists)}`;
}

function programs(imported: readonly ImportedProvider[]): string[] {
  const fresh = imported.filter(({ accountExists }) => !accountExists);
  return programsText(
    fresh.map(({ account, accountValue: { credentialProvider: plugin }, program }) => ({
      account,
      plugin,
      program,
    })),
  );
}

function notes({ plan }: PreparedProviders): string[] {
  return notesText([
    ...plan.providers.flatMap(({ provider, notes: own }) =>
      own.map((note) => `${visibleText(provider, 80)}: ${note}`),
    ),
    ...plan.notes,
  ]);
}

/** For programs. No secret is in it. */
export function providerPlanJson({ source, plan }: PreparedProviders) {
  return {
    config: source.path,
    binDir: source.binFolder,
    providers: plan.providers.map(({ provider, matchImages, becomes, notes: own }) => ({
      provider,
      matchImages,
      ...('left' in becomes
        ? { left: becomes.left, account: null, registry: null, program: null }
        : {
            left: null,
            account: { name: becomes.account, exists: becomes.accountExists, ...becomes.accountValue },
            registry: { name: becomes.registry, exists: becomes.registryExists, ...becomes.registryValue },
            program: {
              path: becomes.program.path,
              target: becomes.program.target,
              owner: becomes.program.owner,
              sha256: becomes.program.sha256,
            },
          }),
      notes: own,
    })),
    notes: plan.notes,
  };
}
