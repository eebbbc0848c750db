import type { Secret } from '../../base/secret.ts';
import { visibleText } from '../text/visible-text.ts';
import { isPlaceholder } from './placeholder.ts';
import { isPublicName, isSecretName, isSecretVariable } from './secret-names.ts';
import { holdsSecret, looksRandom } from './secret-values.ts';

/** It only says yes or no, or names where the secret is. */
const reference =
  /^(true|false|yes|no|on|off|null|none|-)$|^(~?\/|\.{1,2}\/|[A-Za-z]:[\\/]|file:|env:|\$|%)/i;

function isReference(value: string): boolean {
  return reference.test(value) || isPlaceholder(value);
}

/**
 * The secrets in a plugin's arguments, in words that continue "its arguments hold". Every user of the machine can
 * read arguments while a program runs.
 */
export function secretsInArguments(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    const [, flag = '', given] = /^(--?[A-Za-z][^=\s]*)(?:=([\s\S]*))?$/.exec(arg) ?? [];
    const next = args[index + 1] ?? '';
    const value = given ?? (/^-./.test(next) ? '' : next);
    if (flag !== '' && value !== '' && isSecretName(flag) && !isReference(value)) {
      return [visibleText(flag, 80)];
    }
    const before = args[index - 1] ?? '';
    const name = given === undefined ? (/^--?[A-Za-z][^=\s]*$/.test(before) ? before : '') : flag;
    if (isSecretName(name) && given === undefined && !isReference(arg)) {
      return []; // reported with its flag
    }
    return isSecretValue(name, given ?? arg)
      ? [`what looks like a secret (argument ${index + 1})`]
      : secretsInside(arg);
  });
}

/** In a shell's script or a JSON text: `NAME=value`, `--flag value`, `"key": "value"`. */
function secretsInside(arg: string): string[] {
  const assigned = arg.matchAll(/(?:^|[\s;&|("'])([A-Za-z_]\w*)=(["']?)([^\s"'$`;&|]{3,})/g);
  const flags = arg.matchAll(/\s(--?[A-Za-z][\w-]*)[= ]+(["']?)([^\s"'$`;&|-][^\s"'$`;&|]{2,})/g);
  const keys = arg.matchAll(/["']([A-Za-z_][\w-]*)\\?["']\s*:\s*(\\?["'])([^"'\\$`]{3,})/g);
  return [...assigned, ...flags, ...keys].flatMap(([, name = '', , value = '']) =>
    // An ExecCredential may be written out in a script.
    (isSecretName(name) || name === 'clientKeyData') && !isReference(value) ? [visibleText(name, 80)] : [],
  );
}

/** Whether a plugin's variable goes into the vault. */
export function isSecretInVariable(name: string, value: string): boolean {
  if (value === '' || isPlaceholder(value)) {
    return false;
  }
  const isNamedSo = isSecretVariable(name) && !/^(true|false|yes|no|on|off|0|1)$/i.test(value);
  return isNamedSo || isSecretValue(name, value);
}

function isSecretValue(name: string, value: string): boolean {
  return holdsSecret(value) || (!isPublicName(name) && looksRandom(value));
}

/** The names of a plugin's variables that are secrets. */
export function secretVariables(env: readonly { name: string; value: Secret }[]): string[] {
  return [
    ...new Set(
      env.filter(({ name, value }) => isSecretInVariable(name, value.reveal())).map(({ name }) => name),
    ),
  ];
}

/** Whether public JSON contains a secret, judged by a key's name or by its value. */
export function secretInJson(value: unknown, name = ''): boolean {
  if (typeof value === 'string') {
    const isNamedSo = isSecretName(name) && value !== '' && !isReference(value);
    return isNamedSo || isSecretValue(name, value);
  }
  if (Array.isArray(value)) {
    return value.some((each) => secretInJson(each, name));
  }
  return (
    value !== null &&
    typeof value === 'object' &&
    Object.entries(value).some(([key, each]) => secretInJson(each, key))
  );
}
