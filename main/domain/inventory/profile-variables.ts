import type { AccountConfig } from '../../contract/config/accounts/account.ts';
import type { AccessProviderConfig } from '../../contract/config/inventory.ts';
import { mayReachPlugin } from '../../contract/loader-variables.ts';
import type { ProfileProvider } from './profile.ts';

/** What of a profile doesn’t reach the plugin, and why. */
export interface Ignored {
  /** All arguments, or the variable of this name. */
  what: 'arguments' | { variable: string };
  why: IgnoredWhy;
}

export type IgnoredWhy =
  /** The provider’s policy is Ignore. */
  | 'policy'
  /** The account runs no plugin. */
  | 'noPlugin'
  /** It makes programs load or run other code: no policy lets it through. */
  | 'loader'
  /** It is not in `allowedEnvVars`. */
  | 'notAllowed'
  /** The account sets it itself, and the policy is AppendIfNotExists. */
  | 'account';

const words: Readonly<Record<IgnoredWhy, string>> = {
  policy: 'the provider’s policy is Ignore',
  noPlugin: 'its account runs no plugin',
  loader: 'it makes programs load or run other code',
  notAllowed: 'it is not in allowedEnvVars',
  account: 'its account sets it',
};

/** For display: `AWS_PROFILE: it is not in allowedEnvVars`. */
export function ignoredText({ what, why }: Ignored): string {
  return `${what === 'arguments' ? 'additional arguments' : what.variable}: ${words[why]}`;
}

export type PluginParts =
  | { ok: true; args: readonly string[]; env: { name: string; value: string }[]; ignored: Ignored[] }
  /** What a policy lets through can’t be read. */
  | { ok: false; reason: 'badArguments' | 'badVariables'; fault: string };

/**
 * The arguments and variables that a profile adds to its account’s plugin (KEP-5339, “Supplying additional CLI arguments
 * and environment variables to the exec plugin”). They come after the account’s, so that a variable of both has the
 * profile’s value. New arrays each time: the community library changes the provider’s own.
 */
export function pluginParts(
  stated: Pick<ProfileProvider, 'args' | 'argsFault' | 'env' | 'envFault'>,
  provider: AccessProviderConfig,
  account: AccountConfig,
): PluginParts {
  const plugin = 'execPlugin' in account ? account.execPlugin : null;
  const hasArgs = stated.args !== null || stated.argsFault !== null;
  const hasEnv = stated.env !== null || stated.envFault !== null;
  const whyNoArgs: IgnoredWhy | null =
    provider.profileSourcedCLIArgsPolicy === 'Ignore' ? 'policy' : plugin === null ? 'noPlugin' : null;
  const whyNoEnv: IgnoredWhy | null =
    provider.profileSourcedEnvVarsPolicy === 'Ignore' ? 'policy' : plugin === null ? 'noPlugin' : null;
  if (whyNoArgs === null && stated.argsFault !== null) {
    return { ok: false, reason: 'badArguments', fault: stated.argsFault };
  }
  if (whyNoEnv === null && stated.envFault !== null) {
    return { ok: false, reason: 'badVariables', fault: stated.envFault };
  }
  const ignored: Ignored[] = [];
  if (hasArgs && whyNoArgs !== null && stated.args?.length !== 0) {
    ignored.push({ what: 'arguments', why: whyNoArgs });
  }
  const own = new Set(plugin?.env.map(({ name }) => name));
  if (plugin?.searchPath !== undefined) {
    own.add('PATH');
  }
  const env: { name: string; value: string }[] = [];
  for (const [name, value] of stated.env ?? []) {
    const why = whyNoEnv ?? whyNotVariable(name, provider, own);
    if (why === null) {
      env.push({ name, value });
    } else {
      ignored.push({ what: { variable: name }, why });
    }
  }
  if (hasEnv && stated.env === null && whyNoEnv !== null) {
    ignored.push({ what: { variable: 'additional variables' }, why: whyNoEnv });
  }
  return { ok: true, args: whyNoArgs === null ? [...(stated.args ?? [])] : [], env, ignored };
}

/**
 * Names are allowed one by one, letter by letter: HOME, PATH and their like reach a plugin in no other way
 * (rule: remote-inventory).
 */
function whyNotVariable(
  name: string,
  { allowedEnvVars, profileSourcedEnvVarsPolicy }: AccessProviderConfig,
  own: ReadonlySet<string>,
): IgnoredWhy | null {
  if (!mayReachPlugin(name)) {
    return 'loader';
  }
  if (!allowedEnvVars.includes(name)) {
    return 'notAllowed';
  }
  return profileSourcedEnvVarsPolicy === 'AppendIfNotExists' && own.has(name) ? 'account' : null;
}
