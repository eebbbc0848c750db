import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { tooDeepAt } from '../../base/nesting.ts';
import { shownServer } from '../../domain/image/registry-server.ts';
import { SourceText } from '../../kubeconfig/edit/source-text.ts';

/** docker’s config.json, parsed, with the places of what is read of it. */
export interface DockerConfig {
  text: SourceText;
  /** Null: the file is empty or absent. */
  root: YAMLMap | null;
  /** The credential store; null: none. */
  credsStore: string | null;
  /** Helpers by the server that docker looks up. */
  credHelpers: Readonly<Record<string, string>>;
  /** In the order of the file. */
  auths: readonly DockerAuth[];
}

/** One entry of `auths`. */
export interface DockerAuth {
  /** The server’s URL as the file has it. */
  server: string;
  /** Its texts: `auth`, `username`, `password`, `identitytoken`, `registrytoken`. */
  values: Readonly<Partial<Record<AuthKey, string>>>;
}

/** Keys of an entry that hold secrets, or belong to one. */
export const authKeys = ['auth', 'username', 'password', 'identitytoken', 'registrytoken'] as const;
export type AuthKey = (typeof authKeys)[number];

/** `fault`: what is wrong with the file, in words that follow its name. Never a value from it. */
export type ParsedDockerConfig = { ok: true; config: DockerConfig } | { ok: false; fault: string };

class Fault extends Error {}

/**
 * Reads config.json as docker does. Strict where docker is lenient: a key twice, or in other letters (`CredsStore`),
 * could mean another value to docker than to Lanyard.
 */
export function parseDockerConfig(whole: string): ParsedDockerConfig {
  try {
    return { ok: true, config: read(new SourceText(whole)) };
  } catch (error) {
    const fault = error instanceof Fault ? error.message : 'isn’t valid JSON';
    return { ok: false, fault };
  }
}

function read(text: SourceText): DockerConfig {
  if (text.whole.trim() === '') {
    return { text, root: null, credsStore: null, credHelpers: {}, auths: [] };
  }
  // The other parser, which gives places, also reads what JSON forbids.
  JSON.parse(text.whole);
  if (tooDeepAt(text.whole) !== null) {
    throw new Fault('is nested too deeply');
  }
  const document = parseDocument(text.whole, {
    version: '1.2',
    schema: 'json',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
  });
  const root = document.contents;
  if (!isMap(root)) {
    throw new Fault('isn’t a JSON object');
  }
  if (document.errors.length > 0) {
    throw new Fault('is written in a way that can’t be edited in place');
  }
  const map = root as YAMLMap;
  const credsStore = valueAt(map, 'credsStore', 'it');
  return {
    text,
    root: map,
    credsStore: credsStore === null ? null : textOf(credsStore, 'credsStore') || null,
    credHelpers: textsOf(mapOf(map, 'credHelpers', 'it'), 'credHelpers'),
    auths: readAuths(mapOf(map, 'auths', 'it')),
  };
}

function readAuths(map: YAMLMap | null): DockerAuth[] {
  return pairsOf(map, 'auths').map(([server, value]) => {
    const where = `auths of "${shownServer(server)}"`;
    if (isNull(value)) {
      return { server, values: {} };
    }
    if (!isMap(value)) {
      throw new Fault(`has ${where} that is no object`);
    }
    const values: Partial<Record<AuthKey, string>> = {};
    for (const key of authKeys) {
      const found = valueAt(value as YAMLMap, key, where);
      if (found !== null) {
        values[key] = textOf(found, `${key} in ${where}`);
      }
    }
    return { server, values };
  });
}

function mapOf(map: YAMLMap, key: string, where: string): YAMLMap | null {
  const value = valueAt(map, key, where);
  if (value !== null && !isMap(value)) {
    throw new Fault(`has ${key} that is no object`);
  }
  return value as YAMLMap | null;
}

/** Null for null, as in Go. */
function valueAt(map: YAMLMap, key: string, where: string): unknown {
  const pairs = map.items.filter((pair) => keyOf(pair).toLowerCase() === key.toLowerCase());
  const [first] = pairs;
  if (!first) {
    return null;
  }
  if (pairs.length > 1) {
    throw new Fault(`has ${key} twice${where === 'it' ? '' : ` in ${where}`}`);
  }
  if (keyOf(first) !== key) {
    throw new Fault(`has ${key} in other letters (${keyOf(first)})`);
  }
  return isNull(first.value) ? null : first.value;
}

function textsOf(map: YAMLMap | null, where: string): Record<string, string> {
  return Object.fromEntries(
    pairsOf(map, where).map(([key, value]) => [key, textOf(value, `${where} of "${shownServer(key)}"`)]),
  );
}

function pairsOf(map: YAMLMap | null, where: string): [string, unknown][] {
  const pairs = (map?.items ?? []).map((pair): [string, unknown] => [keyOf(pair), pair.value]);
  const seen = new Set<string>();
  for (const [key] of pairs) {
    if (seen.has(key)) {
      throw new Fault(`has "${shownServer(key)}" twice in ${where}`);
    }
    seen.add(key);
  }
  return pairs;
}

function textOf(value: unknown, where: string): string {
  if (!isScalar(value) || typeof value.value !== 'string') {
    throw new Fault(`has ${where} that is no text`);
  }
  return value.value;
}

export function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : '';
}

function isNull(value: unknown): boolean {
  return value === null || value === undefined || (isScalar(value) && value.value === null);
}
