import type { Status, StatusReader } from '../../../access/status.ts';
import { counted } from '../../../contract/ui/count-text.ts';
import { insecureWords } from '../../../contract/ui/health-words.ts';
import { spanText } from '../../../contract/ui/time-texts.ts';
import { styled } from '../../../domain/text/style.ts';
import { missingText } from '../../../operations/cluster-context.ts';
import type {
  InventoryFigures,
  InventoryFiguresReader,
} from '../../../operations/inventories/inventory-figures.ts';
import type { ConfigStore } from '../../../ports/config-store.ts';
import type { VaultState } from '../../../ports/vault.ts';
import { type Command, done, json, parseWords, usageError } from '../command.ts';
import type { KubectlContexts } from '../kubeconfig/kubectl-contexts.ts';
import { columnsOf, table } from '../table.ts';
import { formattedStatus, type PromptDeps } from './formatted-status.ts';
import { inventoriesTable, inventoryJson, inventoryNeeds, isFineInventory } from './inventories-table.ts';
import { registriesTable } from './registries-table.ts';
import { stateWord } from './state-text.ts';
import { filteredStatus } from './status-filter.ts';
import { isGoodForNow, needsText, ownNeeds, statusNeeds } from './status-needs.ts';
import { accountsTable, clustersTable } from './status-tables.ts';

/** The most rows of a table of what isn’t fine. */
const rowLimit = 20;

/** `lanyard status [NAME] [--account ACCOUNT] [--all] [--wide] [--json]`, `lanyard status --format TEXT` */
export function statusCommand(
  deps: PromptDeps & {
    kubectl: Pick<KubectlContexts, 'of'>;
    status: StatusReader;
    inventories: InventoryFiguresReader;
    config: Pick<ConfigStore, 'current'>;
  },
): Command {
  return async (call) => {
    const { positionals, values } = parseWords('status', call.args, ['[NAME]'], {
      account: { type: 'string' },
      all: { type: 'boolean' },
      wide: { type: 'boolean' },
      json: { type: 'boolean' },
      format: { type: 'string' },
    });
    const filter = { name: positionals[0] ?? null, account: values.account ?? null };
    if (filter.name !== null && filter.account !== null) {
      throw usageError('status', 'use a name or --account, not both');
    }
    if (values.format !== undefined) {
      if (values.json || values.all || values.wide || filter.name !== null || filter.account !== null) {
        throw usageError('status', '--format goes alone: it is about the current context');
      }
      return done(await formattedStatus(deps, call, values.format));
    }
    const found = { status: await deps.status.read(), inventories: await deps.inventories.read() };
    const { status, inventories } = filteredStatus(found, filter, deps.config.current().clusters.values());
    const contexts = await deps.kubectl.of(call);
    if (values.json) {
      const clusters = status.clusters.map((each) => ({ ...each, context: contexts.get(each.name) ?? null }));
      return done(json({ ...status, clusters, inventories: inventories.map(inventoryJson) }));
    }
    const columns = columnsOf(call.terminal, values.wide);
    const isFiltered = filter.name !== null || filter.account !== null;
    return done(
      isFiltered
        ? filteredText(status, inventories, contexts, columns)
        : statusText(status, inventories, contexts, { all: values.all === true, columns }),
    );
  };
}

/** What needs the user first, then how many of each there are, then what isn’t fine. */
function statusText(
  status: Status,
  inventories: readonly InventoryFigures[],
  contexts: ClusterContexts,
  { all, columns }: { all: boolean; columns: number | null },
): string {
  const needs = [...statusNeeds(status), ...inventoryNeeds(inventories)];
  const sections = [
    needs.length === 0
      ? 'Nothing needs attention.'
      : `${styled.bold('Needs attention:')}\n${needsText(needs)}`,
    table([
      ...countRow('accounts', status.accounts),
      ...countRow('clusters', status.clusters, [
        ...insecureCount(status.clusters),
        ...missingCount(status.clusters, contexts),
      ]),
      ...countRow('registries', status.registries),
      ...inventoryRow(inventories),
      ['vault', vaultText(status.vault)],
      ...(status.idleLock === null ? [] : [['lock', idleLockText(status.idleLock)]]),
      ['config', configText(status)],
      ['home', status.broker.home],
      [
        'agent',
        `${status.broker.version}, pid ${status.broker.pid}, up ${spanText(status.broker.uptimeSeconds * 1000)}`,
      ],
    ]),
  ];
  const limit = all ? Number.POSITIVE_INFINITY : rowLimit;
  // While locked every row would say so.
  const isShown = (each: Shown) => all || !(isFine(each) || each.state === 'locked');
  const isShownAccount = (each: Status['accounts'][number]) =>
    isShown(each) && (all || each.pending || !isGoodForNow(each));
  const isShownInventory = (each: InventoryFigures) => all || !isFineInventory(each, status.held);
  return [
    ...sections,
    ...limited(status.accounts.filter(isShownAccount), limit, (rows) => accountsTable(rows, columns)),
    ...limited(status.clusters.filter(isShown), limit, (rows) => clustersTable(rows, columns, contexts)),
    ...limited(status.registries.filter(isShown), limit, (rows) => registriesTable(rows, columns)),
    ...limited(inventories.filter(isShownInventory), limit, (rows) =>
      inventoriesTable(rows, status.held, columns),
    ),
  ].join('\n\n');
}

/** Of what the user named: what needs the user, and each row, fine or not. */
function filteredText(
  status: Status,
  inventories: readonly InventoryFigures[],
  contexts: ClusterContexts,
  columns: number | null,
): string {
  const needs = [...ownNeeds(status), ...inventoryNeeds(inventories)];
  const all = Number.POSITIVE_INFINITY;
  return [
    ...(needs.length === 0 ? [] : [`${styled.bold('Needs attention:')}\n${needsText(needs)}`]),
    ...limited(status.accounts, all, (rows) => accountsTable(rows, columns)),
    ...limited(status.clusters, all, (rows) => clustersTable(rows, columns, contexts)),
    ...limited(status.registries, all, (rows) => registriesTable(rows, columns)),
    ...limited(inventories, all, (rows) => inventoriesTable(rows, status.held, columns)),
  ].join('\n\n');
}

type Shown = { state: string; pending: boolean; problem?: string | null };

function isFine({ state, pending, problem = null }: Shown): boolean {
  return state === 'ready' && !pending && problem === null;
}

function limited<Row>(
  rows: readonly Row[],
  limit: number,
  shown: (rows: readonly Row[]) => string,
): string[] {
  const more = rows.length - limit;
  return rows.length === 0
    ? []
    : [`${shown(rows.slice(0, limit))}${more > 0 ? `\nand ${more} more: lanyard status --all` : ''}`];
}

/** `12: 8 ready, 4 log in`, the most frequent state first. */
function countRow(
  what: string,
  rows: readonly { state: string }[],
  more: readonly string[] = [],
): string[][] {
  const counts = [...Map.groupBy(rows, ({ state }) => stateWord(state))]
    .map(([word, all]) => [word, all.length] as const)
    .toSorted(([, one], [, other]) => other - one);
  return rows.length === 0
    ? []
    : [
        [
          what,
          `${rows.length}: ${[counts.map(([word, count]) => `${count} ${word}`).join(', '), ...more].join('; ')}`,
        ],
      ];
}

/** A cluster whose server isn’t verified may be ready: its row isn’t among what isn’t fine. */
function insecureCount(clusters: Status['clusters']): string[] {
  const count = clusters.filter(({ isInsecure }) => isInsecure).length;
  return count === 0 ? [] : [styled.yellow(`${count} ${insecureWords}`)];
}

type ClusterContexts = Awaited<ReturnType<KubectlContexts['of']>>;

/** Its row is among those that are fine, too: it works for whoever names another kubeconfig. */
function missingCount(clusters: Status['clusters'], contexts: ClusterContexts): string[] {
  const text = missingText(clusters.flatMap(({ name }) => contexts.get(name) ?? []));
  return text === undefined ? [] : text.split('\n');
}

function inventoryRow(inventories: readonly InventoryFigures[]): string[][] {
  const inUse = inventories.reduce((sum, { profiles }) => sum + profiles.inUse, 0);
  const used = `${counted(inUse, 'profile')} in use`;
  return inventories.length === 0 ? [] : [['inventories', `${inventories.length}: ${used}`]];
}

function vaultText(vault: VaultState): string {
  switch (vault.kind) {
    case 'open':
      return `open (${vault.slots.join(', ')}), generation ${vault.generation}`;
    case 'locked':
      return `locked: ${vault.reason}`;
    case 'none':
      return `none yet: ${vault.reason}`;
    case 'broken':
      return `${styled.red(vault.reason)} (${vault.hint})`;
  }
}

function idleLockText({ afterIdleSeconds, inSeconds }: NonNullable<Status['idleLock']>): string {
  return `in ${spanText(inSeconds * 1000)}, if you ask nothing (after ${spanText(afterIdleSeconds * 1000)})`;
}

function configText({ config }: Status): string {
  const errors = config.problems.filter((problem) => problem.severity === 'error').length;
  if (config.problems.length === 0) {
    return config.file;
  }
  return errors === 0
    ? `${config.file}, ${counted(config.problems.length, 'warning')}`
    : `${config.file}, ${counted(errors, 'error')}: the last valid version stays active`;
}
