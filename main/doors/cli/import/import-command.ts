import { resolve } from 'node:path';
import { BrokerError } from '../../../contract/broker-error.ts';
import { exitCodes } from '../../../contract/exit-codes.ts';
import type { GivenText, KubeconfigSource } from '../../../domain/import/given-text.ts';
import type { KubeconfigApiVersion } from '../../../kubeconfig/helper-exec.ts';
import type { ApplyHow, FileOutcome } from '../../../kubeconfig/import/apply.ts';
import type { ImportSelection, ImportSource, PreparedImport } from '../../../kubeconfig/import/prepare.ts';
import type { ImportCaller } from '../../../kubeconfig/import/read-source.ts';
import { type CarryOutDeps, carryOutImport } from '../../../operations/import/carry-out.ts';
import {
  brokenError,
  checkSource,
  checkWhole,
  hasErrors,
  hasWork,
} from '../../../operations/import/source-checks.ts';
import { kubeconfigVariables } from '../caller-environment.ts';
import {
  type Command,
  type CommandCall,
  done,
  json,
  parseWords,
  planned,
  usageError,
  waitingOf,
} from '../command.ts';
import type { KubectlContexts } from '../kubeconfig/kubectl-contexts.ts';
import { columnsOf } from '../table.ts';
import { importJson, isHeld } from './import-json.ts';
import { checkNames, readNames } from './import-names.ts';
import { agree } from './import-questions.ts';
import { doneText, planText } from './import-text.ts';

/** The variables that say which kubeconfigs and which kubectl the caller uses. */
const variables = [...kubeconfigVariables, 'PATH'];

export interface ImportCommandDeps extends CarryOutDeps {
  kubectl: KubectlContexts;
  /** The files that kubectl would read for this caller. */
  paths(environment: Readonly<Record<string, string>>, cwd: string): string[];
  read(files: readonly KubeconfigSource[], caller: ImportCaller): Promise<ImportSource>;
  /** What the kubectl of this PATH knows, which is run for that. */
  apiVersion(path: string | undefined): Promise<KubeconfigApiVersion>;
  /** Throws `vault.locked` while the vault isn't open: without it, existing secrets are unknown. */
  prepare(source: ImportSource, selection: ImportSelection): Promise<PreparedImport>;
  /** Why it would not be carried out; null: nothing is known against it. */
  refusal(prepared: PreparedImport, how: Pick<ApplyHow, 'confirms'>): Promise<BrokerError | null>;
  /** The managed kubeconfig, and config.yaml. */
  managed: string;
  config: string;
}

/** Working out and writing thousands of clusters. */
const workSeconds = 120;
/** What the helper reads of standard input. */
const stdinLimitBytes = 1024 * 1024;

/**
 * `lanyard kubeconfig import [FILE …] [--dry-run] [--in-place] [--context CONTEXT …] [--cluster-name CONTEXT=NAME …]
 * [--account-name USER=NAME …] [--offline-access] [--yes] [--json]`
 */
export function importCommand(deps: ImportCommandDeps): Command {
  return async (call) => {
    const { values, positionals } = parseWords('kubeconfig import', call.args, ['[FILE …]'], {
      'dry-run': { type: 'boolean' },
      'in-place': { type: 'boolean' },
      context: { type: 'string', multiple: true },
      'cluster-name': { type: 'string', multiple: true },
      'account-name': { type: 'string', multiple: true },
      'offline-access': { type: 'boolean' },
      yes: { type: 'boolean' },
      json: { type: 'boolean' },
    });
    const names = readNames(values);
    call.terminal.extend(workSeconds);
    const fromStdin = positionals.includes('-');
    if (fromStdin && values['in-place']) {
      throw usageError('kubeconfig import', '--in-place edits files, and standard input (-) is none');
    }
    const { PATH, ...environment } = (await call.terminal.environment(variables)) ?? {};
    const given = fromStdin ? await readStdin(call) : null;
    const files =
      positionals.length > 0
        ? [...new Set(positionals)].map((file) =>
            file === '-' && given !== null ? given : resolve(call.cwd, file),
          )
        : deps.paths(environment, call.cwd);
    const homeDirectory = environment['HOME'] ?? environment['USERPROFILE'] ?? '';
    // Another container's PATH names other files; a file there could be a trap to be run here.
    const searchPath = call.caller.origin === 'container' ? undefined : PATH;
    const [source, apiVersion] = await Promise.all([
      deps.read(files, {
        homeDirectory,
        searchPath: searchPath ?? null,
        apart: positionals.length > 0,
      }),
      deps.apiVersion(searchPath),
    ]);
    const { merged } = source;
    const selection: ImportSelection = {
      contexts: values.context ? contextsCalled(values.context, merged) : null,
      inPlace: values['in-place'] ?? false,
      names,
      offlineAccess: values['offline-access'] ?? false,
      apiVersion,
    };
    checkSource(merged, selection);
    const prepared = await deps.prepare(source, selection);
    if (!hasErrors(merged)) {
      checkNames(names, prepared.plan);
    }
    const shown = { merged, prepared, selection, managed: deps.managed, config: deps.config };
    const columns = columnsOf(call.terminal);
    const confirms = call.terminal.canPrompt;
    const refused =
      brokenError(merged) ?? (hasWork(prepared) ? await deps.refusal(prepared, { confirms }) : null);
    if (values['dry-run']) {
      return planned(values.json ? json(importJson(shown)) : planText(shown, { columns }), refused);
    }
    checkWhole(merged);
    if (values.json && !values.yes) {
      throw usageError('kubeconfig import', '--json goes with --dry-run or --yes');
    }
    if (!values.json) {
      call.terminal.print(`${planText(shown, { asks: call.terminal.canPrompt && !values.yes, columns })}\n`);
    }
    if (refused) {
      // Before anyone is asked.
      throw refused;
    }
    if (!hasWork(prepared)) {
      await deps.markSeen(merged, prepared.plan);
      const nothing = { ...shown, outcomes: [], warnings: [], confirms: true };
      return values.json ? done(json(importJson(nothing))) : done(undefined, 'Nothing new to import.');
    }
    const again = (change: Partial<ImportSelection>) => deps.prepare(source, { ...selection, ...change });
    const agreed = values.yes ? prepared : await agree(call, prepared, again);
    call.terminal.extend(workSeconds);
    const { outcomes, warnings } = await carryOutImport(
      { merged, prepared: agreed, selection },
      { confirms, ...waitingOf(call) },
      deps,
    );
    const result = { ...shown, prepared: agreed, outcomes, warnings, confirms };
    const kept = outcomes.filter((outcome) => outcome.kept !== null);
    if (kept.length > 0) {
      throw keptError(kept, agreed);
    }
    const clusters = agreed.plan.clusters.flatMap(({ becomes }) =>
      'cluster' in becomes ? [becomes.cluster] : [],
    );
    const isUsed = values.json || isHeld(result) || clusters.length === 0;
    const next = isUsed ? null : await deps.kubectl.next(call, clusters);
    const answer = values.json ? done(json(importJson(result))) : done(undefined, doneText(result, next));
    // As of all commands whose change has no effect yet, so that a script notices.
    return isHeld(result) ? { ...answer, code: exitCodes.pending } : answer;
  };
}

/** Says what was done as well as what wasn't. */
function keptError(kept: readonly FileOutcome[], { edits, files }: PreparedImport): BrokerError {
  const why = kept.map(({ path, kept: reason }) => `${path}: ${reason}`).join('; ');
  const edited = files.filter(({ path }) => !kept.some((each) => each.path === path));
  const done = [
    ...edits.map(({ what, name }) => `the ${what} ${name} is imported`),
    ...edited.map(({ path }) => `${path} is edited`),
  ];
  const few = done.length > 8 ? [...done.slice(0, 8), `${done.length - 8} more`] : done;
  return new BrokerError('import.kept', `${why}${few.length === 0 ? '' : ` (${few.join(', ')})`}`, {
    reason: 'denied',
    hint: 'run it again for what is left: lanyard kubeconfig import --in-place',
  });
}

/** All contexts of a name: several files may have one. Of those, the number that the plan shows names one alone. */
function contextsCalled(names: readonly string[], { contexts }: ImportSource['merged']): string[] {
  return names.flatMap((name) => {
    const called = [...contexts.values()].filter((each) => each.origin.name === name);
    return called.length > 0 ? called.map((each) => each.name) : [name];
  });
}

async function readStdin(call: CommandCall): Promise<GivenText> {
  const text = await call.terminal.readStdin(stdinLimitBytes);
  if (text === null) {
    throw usageError('kubeconfig import', '- reads standard input: give it a kubeconfig (< FILE)');
  }
  return { name: 'standard input', text };
}
