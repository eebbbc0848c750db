import { resolve } from 'node:path';
import { BrokerError } from '../../../contract/broker-error.ts';
import { counted } from '../../../contract/ui/count-text.ts';
import { importedOf } from '../../../domain/import/providers/planned-provider.ts';
import { shellWord } from '../../../domain/text/shell-line.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import { dockerConfigFile } from '../../../installed/docker/docker-config-file.ts';
import type { DockerConfigs } from '../../../installed/docker/docker-configs.ts';
import type { ApplicableImport, ApplyHow, FileOutcome } from '../../../kubeconfig/import/apply.ts';
import { type DockerOffer, dockerOffer } from '../../../operations/docker-offer.ts';
import type { FoundProviders } from '../../../operations/import-providers/find.ts';
import {
  hasProviderWork,
  type PreparedProviders,
  type PrepareProvidersDeps,
  prepareProviders,
} from '../../../operations/import-providers/prepare.ts';
import { readProviders } from '../../../operations/import-providers/read-config.ts';
import { type UndoProvidersDeps, undoProviders } from '../../../operations/import-providers/undo.ts';
import type { Gate } from '../../../ports/broker-core.ts';
import type { DoorAnswer } from '../../../ports/door.ts';
import { refusalAnswer } from '../../../ports/door.ts';
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
import { addedAnswer, addedJson } from '../edit-config.ts';
import { providerPlanJson, providerPlanText } from './provider-plan-text.ts';

export interface RegistryImportDeps extends PrepareProvidersDeps, UndoProvidersDeps {
  config: PrepareProvidersDeps['config'] & UndoProvidersDeps['config'] & { file: string };
  gate: Gate;
  find(home: string): Promise<FoundProviders[]>;
  docker: Pick<DockerConfigs, 'state' | 'plan'>;
  apply(prepared: ApplicableImport, how: ApplyHow): Promise<FileOutcome[]>;
  /** Why it would not be carried out; null: nothing is known against it. */
  refusal(prepared: ApplicableImport, how: Pick<ApplyHow, 'confirms'>): Promise<BrokerError | null>;
}

/** The user reads the plan, and asks others. */
const readingSeconds = 900;

/** `lanyard registry import [FILE] [--bin-dir FOLDER] [--dry-run] [--yes] [--json]` */
export function registryImportCommand(deps: RegistryImportDeps): Command {
  return async (call) => {
    const { values, positionals } = parseWords('registry import', call.args, ['[FILE]'], {
      'bin-dir': { type: 'string' },
      'dry-run': { type: 'boolean' },
      yes: { type: 'boolean' },
      json: { type: 'boolean' },
    });
    const [named] = positionals;
    if (named === undefined) {
      return listFound(call, values.json === true, deps);
    }
    const path = resolve(call.cwd, named);
    const binDir = values['bin-dir'];
    if (binDir === undefined) {
      throw usageError(
        'registry import',
        'it needs --bin-dir: the folder with the plugins, as the kubelet has it in --image-credential-provider-bin-dir',
      );
    }
    const refusal = deps.gate();
    if (refusal) {
      return refusalAnswer(refusal);
    }
    const prepared = await prepareProviders({ path, binFolder: resolve(call.cwd, binDir) }, deps);
    const confirms = call.terminal.canPrompt;
    const refused = hasProviderWork(prepared) ? await deps.refusal(prepared, { confirms }) : null;
    if (values['dry-run']) {
      return planned(
        values.json ? json(providerPlanJson(prepared)) : providerPlanText(prepared, deps.config.file),
        refused,
      );
    }
    if (values.json && !values.yes) {
      throw usageError('registry import', '--json goes with --dry-run or --yes');
    }
    if (!values.json) {
      call.terminal.print(`${providerPlanText(prepared, deps.config.file)}\n`);
    }
    if (!hasProviderWork(prepared)) {
      return values.json
        ? done(json({ ...providerPlanJson(prepared), pending: false }))
        : done(undefined, 'Nothing new to import.');
    }
    if (refused) {
      throw refused;
    }
    if (!values.yes) {
      await mustAgree(call, prepared);
    }
    await deps.apply(prepared, { confirms, ...waitingOf(call) });
    const saved = { held: !confirms && prepared.edits.length > 0 };
    return values.json ? addedJson(providerPlanJson(prepared), saved) : importedAnswer(prepared, saved);
  };
}

/** Throws BrokerError where the user says no, or can’t be asked. */
async function mustAgree(call: CommandCall, prepared: PreparedProviders): Promise<void> {
  if (!call.terminal.canPrompt) {
    throw new BrokerError('import.nobody', 'nothing was imported: there is no terminal to ask', {
      reason: 'denied',
      hint: 'read the plan, and say --yes',
    });
  }
  call.terminal.extend(readingSeconds);
  const count = importedOf(prepared.plan).length;
  if (!(await askYes(call, `Import ${count === 1 ? 'this provider' : `these ${count} providers`}?`))) {
    throw new BrokerError('import.denied', 'nothing was imported', { reason: 'denied' });
  }
}

function importedAnswer(prepared: PreparedProviders, saved: { held: boolean }): DoorAnswer {
  const fresh = importedOf(prepared.plan).filter(({ registryExists }) => !registryExists);
  const names = fresh.map(({ registry }) => registry).join(', ');
  const undo = `lanyard registry undo ${shellWord(prepared.source.path)}`;
  return addedAnswer(
    fresh.length === 0 ? 'changes' : `${fresh.length === 1 ? 'registry' : 'registries'} ${names}`,
    `lanyard image why IMAGE. To undo: ${undo}`,
    saved,
  );
}

/** What is in the usual places, each with the command that imports it. */
async function listFound(call: CommandCall, asJson: boolean, deps: RegistryImportDeps): Promise<DoorAnswer> {
  const environment = await callerEnvironment(call, ['DOCKER_CONFIG', 'HOME', 'USERPROFILE']);
  const providers = await deps.find(environment['HOME'] ?? '');
  const file = dockerConfigFile(environment, call.cwd);
  // What is stored already is known while the vault is open.
  const docker = file === null || deps.gate() ? null : await dockerOffer(file, deps.docker);
  if (asJson) {
    return done(json({ providers, docker }));
  }
  const lines = [...providers.map(foundText), ...dockerText(docker)];
  return lines.length === 0
    ? done(
        undefined,
        'Nothing found in the usual places. To import a CredentialProviderConfig: lanyard registry import FILE --bin-dir FOLDER',
      )
    : done(lines.join('\n'));
}

function dockerText(docker: DockerOffer | null): string[] {
  if (docker === null || !docker.changes || docker.plaintext.length === 0) {
    return [];
  }
  const { file, plaintext, fault } = docker;
  const logins = counted(plaintext.length, 'login');
  return [
    `${visibleText(file)} has ${logins} in plain text. ${fault === null ? 'To move into the vault: lanyard docker install' : `It can’t be changed: ${fault.message}`}`,
  ];
}

function foundText({ path, binFolder, providers, fault }: FoundProviders): string {
  const shown = visibleText(path);
  return providers !== null
    ? `${shown} has ${counted(providers, 'provider')}. To import: lanyard registry import ${shellWord(shown)} --bin-dir ${binFolder === null ? 'FOLDER' : shellWord(visibleText(binFolder))}`
    : `${shown} can’t be used: ${fault}`;
}

/** `lanyard registry undo FILE [--json]` */
export function registryUndoCommand(deps: RegistryImportDeps): Command {
  return async (call) => {
    const { values, positionals } = parseWords('registry undo', call.args, ['FILE'], {
      json: { type: 'boolean' },
    });
    const refusal = deps.gate();
    if (refusal) {
      return refusalAnswer(refusal);
    }
    const { registries, accounts, left } = await undoProviders(
      await readProviders(resolve(call.cwd, positionals[0] ?? '')),
      deps,
    );
    if (values.json) {
      return done(json({ registries, accounts, left }));
    }
    const lines = [
      ...registries.map((name) => `removed the registry ${name}`),
      ...accounts.map((name) => `removed the account ${name}`),
      ...left.map(({ account, why }) => `left the account ${account}: ${why}`),
    ];
    return lines.length === 0
      ? done(undefined, 'Nothing of this configuration is imported.')
      : done(lines.join('\n'));
  };
}
