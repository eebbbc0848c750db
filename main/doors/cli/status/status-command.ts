import {
  type AccountStatus,
  durationText,
  type Status,
  type StatusReader,
  whenText,
} from '../../../access/status.ts';
import { pendingItems, pendingName, pendingText } from '../../../contract/pending-words.ts';
import { waitsAtTokenText } from '../../../contract/ui/token-words.ts';
import { listed } from '../../../doctor/check.ts';
import type { ImportOffer } from '../../../domain/import/import-offer.ts';
import { shellWord } from '../../../domain/text/shell-line.ts';
import { styled } from '../../../domain/text/style.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type {
  InventoryFigures,
  InventoryFiguresReader,
} from '../../../operations/inventories/inventory-figures.ts';
import type { VaultState } from '../../../ports/vault.ts';
import { type Command, done, json, parseWords, table, usageError } from '../command.ts';
import { faultLines } from '../proxy/fault-lines.ts';
import { formattedStatus, type PromptDeps } from './formatted-status.ts';
import { inventoriesTable, inventoryJson, inventoryNeeds } from './inventories-table.ts';
import { registriesTable } from './registries-table.ts';
import { heading, stateText } from './state-text.ts';

/** `lanyard status [--json | --format TEXT]` */
export function statusCommand(
  deps: PromptDeps & { status: StatusReader; inventories: InventoryFiguresReader },
): Command {
  return async (call) => {
    const { values } = parseWords('status', call.args, [], {
      json: { type: 'boolean' },
      format: { type: 'string' },
    });
    if (values.format !== undefined) {
      if (values.json) {
        throw usageError('status', '--json and --format don’t go together');
      }
      return done(await formattedStatus(deps, call, values.format));
    }
    const status = await deps.status.read();
    const inventories = await deps.inventories.read();
    return done(
      values.json
        ? json({ ...status, inventories: inventories.map(inventoryJson) })
        : statusText(status, inventories),
    );
  };
}

function statusText(status: Status, inventories: readonly InventoryFigures[]): string {
  const sections = [
    table([
      [
        'broker',
        `${status.broker.version}, pid ${status.broker.pid}, up ${durationText(status.broker.uptimeSeconds)}`,
      ],
      ['home', status.broker.home],
      ['vault', vaultText(status.vault)],
      ...(status.idleLock === null ? [] : [['lock', idleLockText(status.idleLock)]]),
      ['config', configText(status)],
    ]),
  ];
  if (status.accounts.length > 0) {
    sections.push(
      table([
        heading('ACCOUNT', 'KIND', 'STATE', 'AS', 'ENDS'),
        ...status.accounts.map((each) => [
          each.name,
          each.kind,
          stateText(each.state, each.pending),
          each.subject ?? '',
          whenText(each),
        ]),
      ]),
    );
  }
  if (status.clusters.length > 0) {
    sections.push(
      table([
        heading('CLUSTER', 'SERVER', 'ACCOUNT', 'STATE'),
        ...status.clusters.map((each) => [
          each.name,
          each.server,
          each.account,
          stateText(each.state, each.pending),
        ]),
      ]),
    );
  }
  if (status.registries.length > 0) {
    sections.push(registriesTable(status.registries));
  }
  if (inventories.length > 0) {
    sections.push(inventoriesTable(inventories, status.held));
  }
  const todo = [...needsYou(status), ...inventoryNeeds(inventories)];
  if (todo.length > 0) {
    sections.push([styled.bold('Needs attention:'), ...todo.map((line) => `  ${line}`)].join('\n'));
  }
  return sections.join('\n\n');
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
  return `in ${durationText(inSeconds)}, if you ask nothing (after ${durationText(afterIdleSeconds)})`;
}

function configText({ config }: Status): string {
  const errors = config.problems.filter((problem) => problem.severity === 'error').length;
  if (config.problems.length === 0) {
    return config.file;
  }
  return errors === 0
    ? `${config.file}, ${config.problems.length} warning(s)`
    : `${config.file}, ${errors} error(s): the last valid version stays active`;
}

function needsYou(status: Status): string[] {
  const lines = status.config.problems.map(
    (problem) =>
      `${problem.file}:${problem.line ?? 1}:${problem.column ?? 1}: ${problem.severity}: ${problem.message}`,
  );
  if (status.metrics.problem !== null) {
    lines.push(status.metrics.problem);
  }
  lines.push(...faultLines(status.requestProxy.faults));
  lines.push(...status.history.problems.map((problem) => `history: ${problem}`));
  if (status.vault.kind === 'locked' || status.vault.kind === 'none') {
    lines.push('lanyard unlock');
  }
  if (status.held.length > 0) {
    const names = pendingItems(status.held).map(pendingName);
    lines.push(`lanyard confirm          pending approval: ${listed(names)}`, pendingText(status.held));
  }
  lines.push(...status.imports.map(offerText));
  // One command opens the vault, and another approves all changes: both are printed above.
  const others = status.accounts.filter(({ state }) => state !== 'locked' && state !== 'held');
  lines.push(...(status.vault.kind === 'none' ? [] : others.flatMap(accountText)));
  for (const cluster of status.clusters) {
    if (cluster.problem !== null) {
      lines.push(`${cluster.name}: ${cluster.problem}`);
    }
  }
  return lines;
}

function accountText({ name, problem, advice, waitsAtToken }: AccountStatus): string[] {
  if (waitsAtToken) {
    return [`${name}: ${waitsAtTokenText}`];
  }
  if (advice?.startsWith('lanyard ')) {
    const why = advice.includes(name) ? problem : `${name}: ${problem}`;
    return [problem === null ? advice : `${advice}          ${why}`];
  }
  return problem === null ? [] : [`${name}: ${problem}${advice === null ? '' : `; ${advice}`}`];
}

/** One file's new users, which an import would take. */
function offerText({ file, importable }: ImportOffer): string {
  const names =
    importable.length > 3 ? '' : ` (${importable.map((each) => visibleText(each, 60)).join(', ')})`;
  const found = `${importable.length} new ${importable.length === 1 ? 'user' : 'users'}${names} with ${importable.length === 1 ? 'its' : 'their'} own credentials`;
  return `lanyard kubeconfig import ${visibleText(shellWord(file))}          ${found}`;
}
