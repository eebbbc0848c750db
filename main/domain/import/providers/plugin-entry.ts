import type { Secret } from '../../../base/secret.ts';
import { mayReachPlugin } from '../../../contract/loader-variables.ts';
import { visibleText } from '../../text/visible-text.ts';
import { isSecretInVariable, secretsInArguments } from '../exec-secrets.ts';

/** How another program’s configuration runs a plugin. */
export interface StatedPlugin {
  args: readonly string[];
  env: readonly { name: string; value: string }[];
}

/** Arguments and variables as an account of config.yaml has them, without what is empty. */
export interface PluginEntry {
  ok: true;
  value: { args?: string[]; env?: { name: string; value?: string }[] };
  /** For the vault, by part: env.NAME. */
  secrets: Readonly<Record<string, Secret>>;
  /** Sentences that the user should read. */
  notes: readonly string[];
}

/**
 * A plugin’s arguments and variables; secrets among the variables go into the vault. `secretOf` wraps those; `source`:
 * where they are stated, such as `the kubelet’s file`.
 */
export function pluginEntry(
  { args, env }: StatedPlugin,
  source: string,
  secretOf: (text: string) => Secret,
): PluginEntry | { ok: false; left: string } {
  const [secret] = secretsInArguments(args);
  if (secret !== undefined) {
    return left(
      `its arguments hold ${secret}: every user of this machine can see them. Put it into env, where the plugin takes it from there; then import again`,
    );
  }
  // Of a repeated name the last value applies, as in exec.
  const variables = [...new Map(env.map(({ name, value }) => [name, value]))];
  const loader = variables.find(([name]) => !mayReachPlugin(name));
  if (loader) {
    return left(
      `its variable ${visibleText(loader[0], 80)} makes programs load or run something else, and no plugin of Lanyard’s gets it`,
    );
  }
  const isSecret = ([name, value]: readonly [string, string]) => isSecretInVariable(name, value);
  const secrets = variables.filter(isSecret);
  return {
    ok: true,
    value: {
      ...(args.length > 0 && { args: [...args] }),
      ...(variables.length > 0 && {
        env: variables.map((each) =>
          isSecret(each) ? { name: each[0] } : { name: each[0], value: each[1] },
        ),
      }),
    },
    secrets: Object.fromEntries(secrets.map(([name, text]) => [`env.${name}`, secretOf(text)])),
    notes: secretNotes(
      secrets.map(([name]) => name),
      source,
    ),
  };
}

function secretNotes(names: readonly string[], source: string): string[] {
  const shown = names.map((name) => visibleText(name, 80)).join(', ');
  return names.length === 0
    ? []
    : [
        `its ${shown} ${names.length === 1 ? 'is' : 'are'} copied into the vault; ${source} keeps ${names.length === 1 ? 'it' : 'them'}, too`,
      ];
}

/** What the account’s schema would reject, in words that continue `its`. Values may be secrets, so none is shown. */
export function entryFault(
  issue: { path: readonly PropertyKey[]; message: string },
  env: readonly { name: string }[] = [],
): string {
  const [key, index] = issue.path;
  const name = key === 'env' && typeof index === 'number' ? env[index]?.name : undefined;
  return `its ${String(key ?? 'entry')}${name === undefined ? '' : ` ${visibleText(name, 80)}`}: ${issue.message}`;
}

/** The vault has only these secrets for an account. */
export function hasSameSecrets(
  wanted: Readonly<Record<string, Secret>>,
  stored: Readonly<Record<string, Secret>>,
): boolean {
  return (
    Object.keys(wanted).length === Object.keys(stored).length &&
    Object.entries(wanted).every(([part, secret]) => stored[part]?.reveal() === secret.reveal())
  );
}

function left(reason: string): { ok: false; left: string } {
  return { ok: false, left: reason };
}
