import type { Answer, BuiltAnswer, PluginAnswer, ProviderAnswer } from './questions.ts';

/** The library’s sentences, and the faults that they stand for. */
const classes: readonly (readonly [words: RegExp, fault: string])[] = [
  [/^failed to unmarshal access providers: (json: .*)$/s, 'file: $1'],
  [/^failed to unmarshal access providers: .*$/s, 'file'],
  [/^no matching cluster accessor found for cluster profile .*$/s, 'noProvider'],
  [/^no exec config found for provider .*$/s, 'noExec'],
  [/^failed to unmarshal additional CLI args extension: .*$/s, 'badArguments'],
  [/^failed to unmarshal additional env vars extension: .*$/s, 'badVariables'],
  [/^unsupported ProfileSourced\w+Policy: .*$/s, 'policy'],
  [/^failed to convert v1 Cluster to internal: .*$/s, 'badProvider'],
  [/^panic: .*$/s, 'panic'],
  [/^(?:json: cannot unmarshal|illegal base64 data).*$/s, 'unreadable'],
];

/** An answer as it is compared: faults by their kind, an empty policy as what it means. */
export function comparable(answer: Answer): unknown {
  if (Array.isArray(answer)) {
    return answer.map((each: BuiltAnswer) => (each.error === '' ? each : faultOf(each.error)));
  }
  if ('providers' in answer) {
    return {
      error: faultOf(answer.error),
      providers: answer.providers.map((each) => ('fault' in each ? each : comparableProvider(each))),
    };
  }
  return answer;
}

function faultOf(error: string): string {
  const [words, fault] = classes.find(([each]) => each.test(error)) ?? [];
  return words === undefined || fault === undefined ? error : error.replace(words, fault);
}

function comparableProvider({ name, exec, argsPolicy, envPolicy }: ProviderAnswer): unknown {
  return {
    name,
    exec: exec && comparablePlugin(exec),
    args: argsPolicy || 'Ignore',
    env: envPolicy || 'Ignore',
  };
}

/** Not its mode, which is Never once it is built. */
function comparablePlugin({ apiVersion, command, args, env, provideClusterInfo }: PluginAnswer): unknown {
  return { apiVersion, command, args, env, provideClusterInfo };
}
