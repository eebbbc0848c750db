import { resolve } from 'node:path';
import { BrokerError } from '../../../contract/broker-error.ts';
import { importedProviders } from '../../../domain/import/access-providers/plan-access-providers.ts';
import type { ApplicableImport, ApplyHow, FileOutcome } from '../../../kubeconfig/import/apply.ts';
import {
  type PreparedInventory,
  type PrepareInventoryDeps,
  prepareInventory,
} from '../../../operations/add-inventory/prepare.ts';
import { readStatedProviders } from '../../../operations/add-inventory/read-providers.ts';
import { mustBe } from '../../../operations/entry-name.ts';
import type { Gate } from '../../../ports/broker-core.ts';
import { type DoorAnswer, refusalAnswer } from '../../../ports/door.ts';
import { callerEnvironment } from '../caller-environment.ts';
import {
  askYes,
  type Command,
  type CommandCall,
  done,
  json,
  parseWords,
  planned,
  usageError,
  waitingOf,
} from '../command.ts';
import { addedAnswer, addedJson, type EditDeps, editConfig, given } from '../edit-config.ts';
import { inventoryPlanJson, inventoryPlanText } from './inventory-plan-text.ts';

export interface InventoryCommandDeps extends EditDeps, Omit<PrepareInventoryDeps, 'config' | 'vault'> {
  config: EditDeps['config'] & PrepareInventoryDeps['config'];
  gate: Gate;
  apply(prepared: ApplicableImport, how: ApplyHow): Promise<FileOutcome[]>;
  /** Why it would not be carried out; null: nothing is known against it. */
  refusal(prepared: ApplicableImport, how: Pick<ApplyHow, 'confirms'>): Promise<BrokerError | null>;
}

/** The user reads the plan, and asks others. */
const readingSeconds = 900;

/** `lanyard inventory add NAME (--hub CLUSTER | --file FILE …) …` */
export function inventoryAddCommand(deps: InventoryCommandDeps): Command {
  return async (call) => {
    const { positionals, values } = parseWords('inventory add', call.args, ['NAME'], {
      hub: { type: 'string' },
      file: { type: 'string', multiple: true },
      namespace: { type: 'string', multiple: true },
      selector: { type: 'string' },
      provider: { type: 'string', multiple: true },
      server: { type: 'string', multiple: true },
      'clusterprofile-provider-file': { type: 'string' },
      'clusterprofile-creds-provider': { type: 'string', multiple: true },
      select: { type: 'string' },
      'context-name': { type: 'string' },
      'dry-run': { type: 'boolean' },
      yes: { type: 'boolean' },
      json: { type: 'boolean' },
    });
    const name = positionals[0] ?? '';
    if ((values.hub === undefined) === (values.file === undefined)) {
      throw usageError('inventory add', 'it needs --hub or --file, and not both');
    }
    const file = values['clusterprofile-provider-file'];
    const flags = values['clusterprofile-creds-provider'] ?? [];
    const named = (values.provider ?? []).map(namedProvider);
    if (named.length === 0 && file === undefined && flags.length === 0) {
      throw usageError(
        'inventory add',
        'it needs a provider: --provider NAME=ACCOUNT, --clusterprofile-provider-file or --clusterprofile-creds-provider',
      );
    }
    if (values.json && !values.yes && !values['dry-run']) {
      throw usageError('inventory add', '--json goes with --dry-run or --yes');
    }
    mustBe('inventory', name, true, deps.config);
    const value = given({
      cluster: values.hub,
      files: values.file?.map((path) => resolve(call.cwd, path)),
      namespaces: values.namespace,
      labelSelector: values.selector,
      servers: values.server,
      select: values.select,
      contextName: values['context-name'],
    });
    const refusal = deps.gate();
    if (refusal) {
      return refusalAnswer(refusal);
    }
    const stated = await readStatedProviders(file === undefined ? null : resolve(call.cwd, file), flags);
    const { PATH } = stated.length === 0 ? {} : await callerEnvironment(call, ['PATH']);
    const prepared = await prepareInventory({ name, value, named, stated, cwd: call.cwd, path: PATH }, deps);
    return add(
      call,
      { name, dryRun: values['dry-run'], yes: values.yes, asJson: values.json },
      prepared,
      deps,
    );
  };
}

interface AddOptions {
  name: string;
  dryRun: boolean | undefined;
  yes: boolean | undefined;
  asJson: boolean | undefined;
}

async function add(
  call: CommandCall,
  { name, dryRun, yes, asJson }: AddOptions,
  prepared: PreparedInventory,
  deps: InventoryCommandDeps,
): Promise<DoorAnswer> {
  const plan = () =>
    asJson ? json(inventoryPlanJson(name, prepared)) : inventoryPlanText(prepared, deps.config.file);
  const confirms = call.terminal.canPrompt;
  const refused =
    prepared.value.providers.length === 0 ? noProvider(prepared) : await deps.refusal(prepared, { confirms });
  if (dryRun) {
    return planned(plan(), refused);
  }
  if (refused) {
    throw refused;
  }
  const imported = importedProviders(prepared.plan);
  if (prepared.plan.length > 0 && !asJson) {
    call.terminal.print(`${plan()}\n`);
  }
  if (imported.length > 0 && !yes) {
    await mustAgree(call, name, imported.length);
  }
  await deps.apply(prepared, { confirms, ...waitingOf(call) });
  return asJson
    ? addedJson(inventoryPlanJson(name, prepared), { held: !confirms })
    : addedAnswer(`inventory ${name}`, `lanyard inventory list --inventory ${name}`, { held: !confirms });
}

function noProvider(prepared: PreparedInventory): BrokerError {
  return new BrokerError('inventory.noProvider', `no provider can be used: ${leftText(prepared)}`, {
    reason: 'usage',
    hint: 'nothing was added; see all of it with --dry-run',
  });
}

function leftText({ plan }: PreparedInventory): string {
  return plan
    .flatMap(({ provider, becomes }) => ('left' in becomes ? [`${provider} ${becomes.left}`] : []))
    .join('; ');
}

/** Throws BrokerError where the user says no, or can’t be asked. */
async function mustAgree(call: CommandCall, name: string, count: number): Promise<void> {
  if (!call.terminal.canPrompt) {
    throw new BrokerError('inventory.nobody', 'nothing was added: there is no terminal to ask', {
      reason: 'denied',
      hint: 'read the plan with --dry-run, and say --yes',
    });
  }
  call.terminal.extend(readingSeconds);
  const programs = count === 1 ? 'this program' : `these ${count} programs`;
  if (!(await askYes(call, `Add ${name} with ${programs}?`))) {
    throw new BrokerError('inventory.notAdded', 'nothing was added', { reason: 'denied' });
  }
}

/** `NAME=ACCOUNT`; a provider’s name may have an `=`, an account’s may not. */
function namedProvider(text: string): { name: string; account: string } {
  const at = text.lastIndexOf('=');
  if (at <= 0 || at === text.length - 1) {
    throw usageError('inventory add', '--provider takes NAME=ACCOUNT, such as google=corp');
  }
  return { name: text.slice(0, at), account: text.slice(at + 1) };
}

/** `lanyard inventory remove INVENTORY` */
export function inventoryRemoveCommand(deps: EditDeps & { reconcileContexts(): Promise<void> }): Command {
  return async (call) => {
    const { positionals } = parseWords('inventory remove', call.args, ['INVENTORY'], {});
    const name = positionals[0] ?? '';
    mustBe('inventory', name, false, deps.config);
    await editConfig(call, { kind: 'remove', what: 'inventory', name }, deps);
    await deps.reconcileContexts();
    return done(undefined, `Removed the inventory ${name}.`);
  };
}
