import { goQuote } from '../decode/go-quote.ts';
import { decodeStruct } from '../decode/go-struct.ts';
import type { GoValue } from '../decode/go-type.ts';
import { readTree } from '../decode/read-tree.ts';
import { typeMeta } from '../decode/type-meta.ts';
import { configTypes, type latestConfig } from './provider-config-structs.ts';
import { groupVersion } from './provider-versions.ts';

/** As a file says it, of the latest version: earlier ones have a part of its fields. */
export type DecodedProvider = NonNullable<GoValue<typeof latestConfig>['providers']>[number];

export type DecodedConfig =
  | { ok: true; providers: readonly DecodedProvider[] }
  | { ok: false; message: string };

const yamlLimits = { what: 'a configuration', characters: 256 * 1024, marks: 8192, lines: 16_384 };

const kind = 'CredentialProviderConfig';

/** Decodes one file, JSON or YAML, as strictly as the kubelet. */
export function decodeProviderConfig(text: string): DecodedConfig {
  const read = readTree(text, yamlLimits);
  if (!read.ok) {
    return read;
  }
  const typed = typeMeta(read.tree);
  if (!typed.ok) {
    return typed;
  }
  const { meta } = typed;
  const version = groupVersion(meta.apiVersion);
  if (version === null) {
    return wrong(`unexpected GroupVersion string: ${meta.apiVersion}`);
  }
  // The kubelet quotes the whole text after these.
  if (meta.kind === '') {
    return wrong("Object 'Kind' is missing");
  }
  if (version === '' || version.endsWith('/')) {
    return wrong("Object 'apiVersion' is missing");
  }
  const type = meta.kind === kind ? configTypes.get(version) : undefined;
  if (type === undefined) {
    return wrong(`no kind ${goQuote(meta.kind)} is registered for version ${goQuote(version)}`);
  }
  const decoded = decodeStruct(read.tree, type);
  if (!decoded.ok) {
    return decoded;
  }
  const repeated = read.repeated.map((line) => `\n  ${line}`).join('');
  const strict = [...(repeated === '' ? [] : [`yaml: unmarshal errors:${repeated}`]), ...decoded.strict];
  return strict.length > 0
    ? wrong(`strict decoding error: ${strict.join(', ')}`)
    : { ok: true, providers: (decoded.value as GoValue<typeof latestConfig>).providers ?? [] };
}

function wrong(message: string): DecodedConfig {
  return { ok: false, message };
}
