import type { CredentialProviderConfig } from '../../contract/config/config.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { encodeProviderRequest } from '../../domain/image/provider-request.ts';
import type { ProviderResponse } from '../../domain/image/provider-response.ts';
import { readProviderResponse } from '../../domain/image/read-provider-response.ts';
import type { LoadedAccount } from '../../domain/loaded-config.ts';
import { pluginSearchPath } from '../../domain/program/plugin-search-path.ts';
import { noProgramText } from '../../domain/program/program.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import type { PluginPrograms } from '../../ports/plugin-programs.ts';
import type { ProgramRunner, RunOutcome } from '../../ports/program-runner.ts';
import type { Vault } from '../../ports/vault.ts';
import { type CountedRun, countedRun, notFound } from '../plugins/counted-run.ts';
import { endOfRun } from '../plugins/end-of-run.ts';
import { ownVariables } from '../plugins/own-variables.ts';
import { baseEnvironment } from '../plugins/rules/base-environment.ts';
import { providerRunSeconds } from '../plugins/rules/time-limits.ts';
import { Transcript } from '../plugins/transcript.ts';
import type { Pull } from './pull.ts';

export interface ProviderRunDeps {
  account: LoadedAccount;
  config: CredentialProviderConfig;
  vault: Pick<Vault, 'read'>;
  programs: Pick<PluginPrograms, 'find'>;
  /** One that runs in the broker, without a terminal. */
  runProgram(): ProgramRunner;
  /** The broker’s own environment. */
  environment: Readonly<Record<string, string | undefined>>;
}

/** The kubelet bounds nothing: this bounds what a broken plugin can do to memory. */
const stdoutBytes = 1024 * 1024;

/** The most of its stderr that an error has, in characters. */
const shownCharacters = 600;

export type ProviderRun = { ok: true; response: ProviderResponse } | Refusal;

/**
 * One run of the plugin for a pull, as the kubelet runs it (KEP-2133/execution): the request on standard input, at most a minute;
 * its stderr is in the error, its stdout never. Its environment is a fixed base and the account’s `env`, as a caller’s
 * variables would choose whose credential it is (rule: cleared-environment). `lines`: the last lines of its stderr, stripped.
 * `counted`: for the record; null: nothing was run.
 */
export async function runProvider(
  deps: ProviderRunDeps,
  { image, serviceAccount }: Pull,
  signal: AbortSignal,
): Promise<{ run: ProviderRun; lines: readonly string[]; counted: CountedRun | null }> {
  const { account, config } = deps;
  const program = await deps.programs.find(account);
  if (program.ok === false) {
    return { run: program, lines: [], counted: null };
  }
  if (program.ok === 'missing') {
    return { run: missing(account.name, config, program), lines: [], counted: notFound };
  }
  const own = ownVariables({ account, env: config.env, vault: deps.vault });
  if (!own.ok) {
    return { run: own, lines: [], counted: null };
  }
  const transcript = new Transcript(() => undefined);
  const outcome = await deps.runProgram().run(
    {
      command: program.path,
      args: config.args,
      env: {
        ...baseEnvironment(deps.environment, pluginSearchPath(config), false),
        ...own.variables,
      },
      pass: [],
      cwd: deps.environment['HOME'] ?? '/',
      terminal: false,
      input: encodeProviderRequest({
        apiVersion: config.apiVersion,
        image,
        serviceAccountToken: serviceAccount?.token ?? null,
        serviceAccountAnnotations: serviceAccount?.annotations ?? new Map(),
      }),
      endsAll: true,
      maxBytes: stdoutBytes,
      timeoutSeconds: providerRunSeconds,
    },
    { onStderr: (bytes) => transcript.add(bytes), onLapse: () => undefined, signal },
  );
  transcript.end({ isPrompt: false });
  const lines = transcript.lastLines;
  const counted = countedRun(outcome);
  if (outcome.how === 'exited' && outcome.code === 0) {
    const read = readProviderResponse(outcome.stdout, {
      apiVersion: config.apiVersion,
      serviceAccount: serviceAccount && {
        token: serviceAccount.token,
        // Where answers are cached is another matter (pull.ts).
        cacheType: config.tokenAttributes?.cacheType === 'Token' ? 'Token' : 'ServiceAccount',
      },
    });
    return {
      run: read.ok
        ? { ok: true, response: read.response }
        : refuse(
            'provider',
            'credentialProvider.answer',
            `${account.name}: ${visibleText(read.message, shownCharacters)}`,
            'is its apiVersion in config.yaml the plugin’s?',
          ),
      lines,
      counted,
    };
  }
  return { run: failed(config, image, outcome, lines), lines, counted };
}

function missing(
  name: string,
  { command }: Pick<CredentialProviderConfig, 'command'>,
  found: Parameters<typeof noProgramText>[0],
): Refusal {
  const what = found.kind === 'missing' ? 'there is no such program' : noProgramText(found);
  return refuse(
    'provider',
    found.kind === 'missing' ? 'credentialProvider.notFound' : 'credentialProvider.notExecutable',
    `the provider plugin of ${name} can’t be run: ${visibleText(command, 200)}: ${what}`,
    `install it, or change the command of the account ${name} in config.yaml`,
  );
}

/** Why a run gave nothing; its beginning is the kubelet’s. */
function failed(
  { command }: Pick<CredentialProviderConfig, 'command'>,
  image: string,
  outcome: RunOutcome,
  lines: readonly string[],
): Refusal {
  const [code, what] = endOfRun(outcome, { size: '1 MiB', seconds: providerRunSeconds });
  const shown = visibleText(command, 200);
  const said = lines.length === 0 ? '' : `: ${visibleText(lines.join(' '), shownCharacters)}`;
  return refuse(
    'provider',
    `credentialProvider.${code}`,
    `error execing credential provider plugin ${shown} for image ${visibleText(image, 200)}: ${what}${said}`,
    'check its program and its variables: lanyard doctor',
  );
}
