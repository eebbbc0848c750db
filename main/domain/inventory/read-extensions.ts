import { hasInvisible } from '../../contract/invisible.ts';
import { shownName } from '../text/shown-name.ts';
import { asObject, field, hasMoreValues, jsonBytes, kindOf } from './json-fields.ts';
import type { ProfileProvider } from './profile.ts';
import {
  largestExtension,
  longestValue,
  longestVariableName,
  mostArguments,
  mostExtensions,
  mostExtensionValues,
  mostVariables,
} from './profile-limits.ts';

/** Becomes spec.cluster.config (KEP-541). */
const execName = 'client.authentication.k8s.io/exec';
/** Today’s name, which counts, and that of KEP-5339’s first text. */
const argsNames = [
  'clusterprofiles.multicluster.x-k8s.io/exec/additional-args',
  'multicluster.x-k8s.io/clusterprofiles/auth/exec/additional-args',
];
const envNames = [
  'clusterprofiles.multicluster.x-k8s.io/exec/additional-envs',
  'multicluster.x-k8s.io/clusterprofiles/auth/exec/additional-envs',
];

export type ReadExtensions = Pick<
  ProfileProvider,
  'execConfig' | 'args' | 'argsFault' | 'env' | 'envFault' | 'fault'
>;

type Part<T> = { value: T; fault: string | null };

/** Reads `extensions` of a provider’s cluster: a list of `{name, extension}`. Other names than the known ones count not. */
export function readExtensions(value: unknown): ReadExtensions {
  const nothing = { execConfig: undefined, args: null, argsFault: null, env: null, envFault: null };
  const named = namedExtensions(value);
  if (!named.ok) {
    return { ...nothing, fault: named.fault };
  }
  const { extensions } = named;
  const first = (names: readonly string[]) =>
    names.map((name) => extensions.get(name)).find((each) => each !== undefined);
  const execConfig = extensions.get(execName);
  const args = readArguments(first(argsNames));
  const env = readVariables(first(envNames));
  const fault = sizeFault(execConfig, `its extension ${execName}`);
  return {
    // What is too large is kept nowhere.
    execConfig: fault === null ? execConfig : undefined,
    args: args.value,
    argsFault: args.fault,
    env: env.value,
    envFault: env.fault,
    fault,
  };
}

/** By name. The library, too, fails where a name is there twice. An `extension` of null is none. */
function namedExtensions(
  value: unknown,
): { ok: true; extensions: Map<string, unknown> } | { ok: false; fault: string } {
  const wrong = (fault: string) => ({ ok: false as const, fault });
  if (value === undefined) {
    return { ok: true, extensions: new Map() };
  }
  if (!Array.isArray(value)) {
    return wrong(`its extensions are ${kindOf(value)}, not a list`);
  }
  if (value.length > mostExtensions) {
    return wrong(`it has ${value.length} extensions; at most ${mostExtensions} are read`);
  }
  const extensions = new Map<string, unknown>();
  for (const [index, each] of value.entries()) {
    const object = asObject(each);
    const name = field(object, 'name');
    if (typeof name !== 'string' || name === '') {
      return wrong(`its extension ${index + 1} has no name`);
    }
    if (extensions.has(name)) {
      return wrong(`its extension ${shownName(name)} is there twice`);
    }
    extensions.set(name, field(object, 'extension'));
  }
  return { ok: true, extensions };
}

function sizeFault(value: unknown, what: string): string | null {
  if (value === undefined) {
    return null;
  }
  if (hasMoreValues(value, mostExtensionValues)) {
    return `${what} has more than ${mostExtensionValues} values`;
  }
  const json = jsonBytes(value);
  if (!json.ok) {
    return `${what} ${json.fault}`;
  }
  return json.bytes > largestExtension
    ? `${what} has ${json.bytes} bytes; at most ${largestExtension} are read`
    : null;
}

function readArguments(value: unknown): Part<readonly string[] | null> {
  const what = 'additional-args';
  const wrong = (fault: string) => ({ value: null, fault: `${what} ${fault}` });
  if (value === undefined) {
    return { value: null, fault: null };
  }
  const tooLarge = sizeFault(value, what);
  if (tooLarge !== null) {
    return { value: null, fault: tooLarge };
  }
  if (!Array.isArray(value)) {
    return wrong(`is ${kindOf(value)}, not a list of text`);
  }
  if (value.length > mostArguments) {
    return wrong(`has ${value.length} arguments; at most ${mostArguments} are read`);
  }
  const texts = value.map(asText);
  const wrongAt = texts.findIndex((each) => textFault(each) !== null);
  return wrongAt === -1
    ? { value: texts as string[], fault: null }
    : wrong(`has argument ${wrongAt + 1}, which ${textFault(texts[wrongAt])}`);
}

function readVariables(value: unknown): Part<ReadonlyMap<string, string> | null> {
  const what = 'additional-envs';
  const wrong = (fault: string) => ({ value: null, fault: `${what} ${fault}` });
  if (value === undefined) {
    return { value: null, fault: null };
  }
  const tooLarge = sizeFault(value, what);
  if (tooLarge !== null) {
    return { value: null, fault: tooLarge };
  }
  const object = asObject(value);
  if (object === null) {
    return wrong(`is ${kindOf(value)}, not texts by name`);
  }
  const entries = Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length > mostVariables) {
    return wrong(`has ${entries.length} variables; at most ${mostVariables} are read`);
  }
  const env = new Map<string, string>();
  for (const [name, stated] of entries) {
    const each = asText(stated);
    // A program splits NAME=VALUE at its first =: A=B would set A, past the check of the name.
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || name.length > longestVariableName) {
      return wrong(`has ${shownName(name)}, which is no variable’s name`);
    }
    const fault = textFault(each);
    if (fault !== null) {
      return wrong(`has ${name}, which ${fault}`);
    }
    env.set(name, each as string);
  }
  return { value: env, fault: null };
}

/** The library decodes as YAML does, which takes a number or a flag for the text that it is written with. */
function asText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

function textFault(value: unknown): string | null {
  if (typeof value !== 'string') {
    return `is ${kindOf(value)}, not text`;
  }
  if (value.length > longestValue) {
    return `has ${value.length} characters; at most ${longestValue} are read`;
  }
  return hasInvisible(value) ? 'has control or direction characters' : null;
}
