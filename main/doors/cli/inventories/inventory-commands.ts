import { BrokerError } from '../../../contract/broker-error.ts';
import { counted } from '../../../contract/ui/count-text.ts';
import { parseLabelSelector } from '../../../domain/inventory/label-selector.ts';
import { findSameCluster } from '../../../domain/inventory/same-cluster.ts';
import { shownName } from '../../../domain/text/shown-name.ts';
import { unknownName } from '../../../domain/text/unknown-name.ts';
import type { Inventories } from '../../../inventory/inventories.ts';
import { findProfile } from '../../../operations/inventories/find-profiles.ts';
import {
  type ProfileRow,
  type ProfileRowsDeps,
  profileRows,
} from '../../../operations/inventories/profile-rows.ts';
import {
  dropProfiles,
  type PreparedUse,
  prepareUse,
  type UseProfilesDeps,
  useProfiles,
} from '../../../operations/inventories/use-profiles.ts';
import { needsLook, waitingItems } from '../../../operations/waiting-items.ts';
import type { Gate } from '../../../ports/broker-core.ts';
import { refusalAnswer } from '../../../ports/door.ts';
import { printItems } from '../approvals/confirm-command.ts';
import { askYes, type Command, type CommandCall, done, json, parseWords, usageError } from '../command.ts';
import { addedAnswer, addedJson } from '../edit-config.ts';
import { jsonLines } from '../json-lines.ts';
import type { KubectlContexts } from '../kubeconfig/kubectl-contexts.ts';
import { columnsOf } from '../table.ts';
import { profileJson } from './profile-json.ts';
import { inventoryStateText, profilesTable, profileText } from './profile-text.ts';

export interface InventoryCommandDeps extends ProfileRowsDeps, UseProfilesDeps {
  config: ProfileRowsDeps['config'];
  bindings: ProfileRowsDeps['bindings'] & UseProfilesDeps['bindings'];
  used: UseProfilesDeps['used'];
  inventories: Pick<Inventories, 'profile' | 'profilesOf' | 'state' | 'problems' | 'sync'>;
  gate: Gate;
}

/** The user reads servers and CAs, and asks others. */
const readingSeconds = 900;

/** `lanyard inventory list [--inventory NAME] [--selector LABELS] [--in-use] [--json]` */
export function inventoryListCommand(deps: InventoryCommandDeps): Command {
  return async (call) => {
    const { values } = parseWords('inventory list', call.args, [], {
      inventory: { type: 'string' },
      selector: { type: 'string' },
      'in-use': { type: 'boolean' },
      json: { type: 'boolean' },
    });
    const refusal = deps.gate();
    if (refusal) {
      return refusalAnswer(refusal);
    }
    const names = inventoriesOf(values.inventory, deps);
    const selects = selectorOf('inventory list', values.selector);
    const all = await profileRows(deps);
    const alsoListed = findSameCluster(all.map(({ profile }) => profile));
    const rows = all
      .filter(({ profile }) => names.includes(profile.inventory) && selects(profile.labels))
      .filter(({ chosen }) => !values['in-use'] || (chosen !== null && chosen.chosen !== 'no'));
    if (values.json) {
      const inventories = names.map((name) => ({
        name,
        ...deps.inventories.state(name),
        problems: deps.inventories.problems(name),
      }));
      return jsonLines(call, {
        head: `{"inventories":${json(inventories)},"profiles":[`,
        entries: jsonOf(rows, alsoListed),
        tail: ']}',
        narrower: 'name one inventory or some labels: --inventory, --selector',
      });
    }
    if (names.length === 0) {
      return done(undefined, 'No inventories yet. To add one, see: lanyard help inventory add');
    }
    const states = names.flatMap((name) => {
      const state = deps.inventories.state(name);
      const problems = deps.inventories.problems(name).slice(0, 5);
      return [
        ...(state === null ? [] : [inventoryStateText(name, state)]),
        ...problems.map(
          (each) => `  ${shownName(`${each.namespace ?? '?'}/${each.name ?? '?'}`)}: ${each.text}`,
        ),
      ];
    });
    return done(
      rows.length === 0 ? undefined : profilesTable(rows, names.length, alsoListed, columnsOf(call.terminal)),
      states.join('\n'),
    );
  };
}

/** `lanyard inventory show PROFILE [--json]` */
export function inventoryShowCommand(deps: InventoryCommandDeps): Command {
  return async (call) => {
    const { positionals, values } = parseWords('inventory show', call.args, ['PROFILE'], {
      json: { type: 'boolean' },
    });
    const refusal = deps.gate();
    if (refusal) {
      return refusalAnswer(refusal);
    }
    const rows = await profileRows(deps);
    const row = findProfile(rows, positionals[0] ?? '');
    const also = findSameCluster(rows.map(({ profile }) => profile))(row.profile);
    return done(values.json ? json(profileJson(row, also)) : profileText(row, also));
  };
}

/** `lanyard inventory sync [INVENTORY] [--json]` */
export function inventorySyncCommand(deps: InventoryCommandDeps): Command {
  return async (call) => {
    const { positionals, values } = parseWords('inventory sync', call.args, ['[INVENTORY]'], {
      json: { type: 'boolean' },
    });
    const refusal = deps.gate();
    if (refusal) {
      return refusalAnswer(refusal);
    }
    const names = inventoriesOf(positionals[0], deps);
    call.terminal.extend(readingSeconds);
    const results = await Promise.all(
      names.map(async (name) => ({
        name,
        fault: await deps.inventories.sync(name),
        profiles: [...deps.inventories.profilesOf(name)].length,
      })),
    );
    const faults = results.flatMap(({ name, fault }) => (fault === null ? [] : [`${name}: ${fault}`]));
    if (values.json) {
      return { ...done(json(results)), code: faults.length > 0 ? 1 : 0 };
    }
    if (faults.length > 0) {
      throw new BrokerError('inventory.sync', faults.join('\n'), {
        reason: 'provider',
        hint: 'what was known before stays: lanyard inventory list',
      });
    }
    return done(
      undefined,
      results.map(({ name, profiles }) => `${name}: ${counted(profiles, 'profile')}`).join('\n'),
    );
  };
}

/** `lanyard inventory use [PROFILE …] [--selector LABELS] [--yes] [--json]` */
export function inventoryUseCommand(deps: InventoryCommandDeps & { kubectl: KubectlContexts }): Command {
  return async (call) => {
    const { positionals, values } = parseWords('inventory use', call.args, ['[PROFILE …]'], {
      selector: { type: 'string' },
      yes: { type: 'boolean' },
      json: { type: 'boolean' },
    });
    const refusal = deps.gate();
    if (refusal) {
      return refusalAnswer(refusal);
    }
    const rows = await chosenRows('inventory use', positionals, values.selector, deps);
    const prepared = prepareUse(rows, deps);
    const confirms = call.terminal.canPrompt && !values.yes;
    if (confirms) {
      await mustApprove(call, prepared, deps);
    }
    const warnings = await useProfiles(prepared, deps, { confirms });
    const saved = { held: !confirms && prepared.changes.length > 0 };
    if (values.json) {
      const used = prepared.clusters.map(({ name }) => name);
      return addedJson({ contexts: used }, saved);
    }
    const [first] = prepared.clusters;
    const what =
      prepared.clusters.length === 1 ? `context ${first?.name}` : `${prepared.clusters.length} contexts`;
    const names = prepared.clusters.map(({ name }) => name);
    const answer = addedAnswer(what, saved.held ? '' : await deps.kubectl.next(call, names), saved);
    return {
      ...answer,
      stderr: `${warnings.map((line) => `lanyard: ${line}\n`).join('')}${answer.stderr ?? ''}`,
    };
  };
}

/** `lanyard inventory drop CONTEXT …` */
export function inventoryDropCommand(deps: InventoryCommandDeps): Command {
  return async (call) => {
    const { positionals, values } = parseWords('inventory drop', call.args, ['[PROFILE …]'], {
      json: { type: 'boolean' },
    });
    if (positionals.length === 0) {
      throw usageError('inventory drop', 'it needs PROFILE');
    }
    const rows = await profileRows(deps);
    const inUse = new Set(
      deps.used.current().flatMap((each) => (each.chosen === 'no' ? [] : [each.contextName])),
    );
    const contexts = positionals.map((wanted) => {
      // Also one whose profile is gone.
      const context = inUse.has(wanted) ? wanted : findProfile(rows, wanted).chosen?.contextName;
      if (context === undefined || !inUse.has(context)) {
        throw new BrokerError('profile.notUsed', `${shownName(wanted)} is not in use`, {
          reason: 'notFound',
          hint: 'lanyard inventory list --in-use shows what is',
        });
      }
      return context;
    });
    await dropProfiles(contexts, deps);
    return values.json
      ? done(json({ contexts }))
      : done(
          undefined,
          `Removed ${contexts.length === 1 ? `the context ${contexts[0]}` : `${contexts.length} contexts`}.`,
        );
  };
}

function inventoriesOf(name: string | undefined, { config }: InventoryCommandDeps): string[] {
  const names = [...config.current().inventories.keys()];
  if (name !== undefined && !names.includes(name)) {
    throw unknownName('inventory', name, names);
  }
  return name === undefined ? names : [name];
}

function selectorOf(
  command: string,
  text: string | undefined,
): (labels: ReadonlyMap<string, string>) => boolean {
  if (text === undefined) {
    return () => true;
  }
  const parsed = parseLabelSelector(text);
  if (!parsed.ok) {
    throw usageError(command, `--selector ${shownName(text)} ${parsed.fault}`);
  }
  return parsed.matches;
}

async function chosenRows(
  command: string,
  wanted: readonly string[],
  selector: string | undefined,
  deps: InventoryCommandDeps,
): Promise<ProfileRow[]> {
  if ((wanted.length === 0) === (selector === undefined)) {
    throw usageError(command, 'it needs either PROFILE or --selector');
  }
  const rows = await profileRows(deps);
  if (selector === undefined) {
    return [...new Set(wanted.map((each) => findProfile(rows, each)))];
  }
  const selects = selectorOf(command, selector);
  const found = rows.filter(({ profile, resolution }) => resolution.ok && selects(profile.labels));
  if (found.length === 0) {
    throw new BrokerError('profile.unknown', `no usable profile has the labels ${shownName(selector)}`, {
      reason: 'notFound',
    });
  }
  return found;
}

/** Throws BrokerError where the user says no. */
async function mustApprove(
  call: CommandCall,
  { changes, clusters }: PreparedUse,
  { config }: Pick<InventoryCommandDeps, 'config'>,
): Promise<void> {
  if (changes.length === 0) {
    return;
  }
  const seen = { ...config.current(), clusters: new Map(clusters.map((each) => [each.name, each])) };
  const items = waitingItems({ seen, changes, held: [], found: new Map(), left: new Map() });
  const risky = items.filter(needsLook).length;
  printItems(call, items);
  call.terminal.extend(readingSeconds);
  // A long list is easily agreed to: what deserves a second look is counted in the question.
  const isMixed = clusters.length > 1 && risky > 0;
  const look = isMixed ? `, of which ${risky} ${risky === 1 ? 'needs' : 'need'} a closer look` : '';
  const question =
    clusters.length === 1 ? 'Use this cluster?' : `Use these ${clusters.length} clusters${look}?`;
  if (!(await askYes(call, question, { wholeWord: isMixed }))) {
    throw new BrokerError('inventory.denied', 'nothing was added to kubectl', { reason: 'denied' });
  }
}

function* jsonOf(rows: readonly ProfileRow[], alsoListed: ReturnType<typeof findSameCluster>) {
  for (const row of rows) {
    yield profileJson(row, alsoListed(row.profile));
  }
}
