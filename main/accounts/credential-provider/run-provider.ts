import type { CredentialProviderConfig } from '../../contract/config/accounts/image-plugins.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { encodeProviderRequest } from '../../domain/image/provider-request.ts';
import type { ProviderResponse } from '../../domain/image/provider-response.ts';
import { readProviderResponse } from '../../domain/image/read-provider-response.ts';
import { noProgramText } from '../../domain/program/program.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import { withoutSecret } from '../../domain/text/without-secret.ts';
import type { RunOutcome } from '../../ports/program-runner.ts';
import { type CountedRun, countedRun, notFound } from '../plugins/counted-run.ts';
import { endOfRun } from '../plugins/end-of-run.ts';
import { providerRunSeconds } from '../plugins/rules/time-limits.ts';
import { type InputRunDeps, runWithInput } from '../plugins/run-with-input.ts';
import type { Pull } from './pull.ts';

export interface ProviderRunDeps extends InputRunDeps {
  config: CredentialProviderConfig;
}

/** The kubelet bounds nothing: this bounds what a broken plugin can do to memory. */
const stdoutBytes = 1024 * 1024;

/** The most of its stderr that an error has, in characters. */
const shownCharacters = 600;

export type ProviderRun = { ok: true; response: ProviderResponse } | Refusal;

/**
 * One run of the plugin for a pull, as the kubelet runs it (KEP-2133/execution): the request on standard input, at most a
 * minute; its stderr is in the error, its stdout never. `lines`: the last lines of its stderr, stripped, without the service
 * account’s token (rule: service-account-token).
 * `counted`: for the record; null: nothing was run.
 */
export async function runProvider(
  deps: ProviderRunDeps,
  { image, serviceAccount }: Pull,
  signal: AbortSignal,
): Promise<{ run: ProviderRun; lines: readonly string[]; counted: CountedRun | null }> {
  const { account, config } = deps;
  const ended = await runWithInput(
    deps,
    {
      program: config,
      input: encodeProviderRequest({
        apiVersion: config.apiVersion,
        image,
        serviceAccountToken: serviceAccount?.token ?? null,
        serviceAccountAnnotations: serviceAccount?.annotations ?? new Map(),
      }),
      maxBytes: stdoutBytes,
      timeoutSeconds: providerRunSeconds,
    },
    signal,
  );
  if (ended.how === 'refused') {
    return { run: ended.refusal, lines: [], counted: null };
  }
  if (ended.how === 'none') {
    return { run: missing(account.name, config, ended.found), lines: [], counted: notFound };
  }
  const { outcome } = ended;
  const token = serviceAccount?.token.reveal() ?? '';
  const lines = ended.lines.map((line) => withoutSecret(line, token));
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
