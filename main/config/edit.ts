import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isNode, isPair, isScalar, type YAMLMap } from 'yaml';
import { accountKinds } from '../contract/config/accounts/account.ts';
import { byGroup, type ConfiguredKind, configuredKinds, groupOf } from '../contract/config/config.ts';
import { settingSchemas } from '../contract/config/settings.ts';
import type { ConfigEdit, EntryEdit, SetKeyEdit } from '../ports/config-store.ts';
import { Entries } from './entries.ts';
import { keepLines } from './keep-lines.ts';
import { aliasLimit, parseYamlText, type YamlText } from './yaml-text.ts';

/**
 * The text after the edits: comments, order and unknown keys stay, and other entries’ lines as they are written. Null
 * where an edit would change other entries, too. `source` must be a valid config.yaml; its document is changed.
 */
export function editText(source: YamlText, edits: readonly ConfigEdit[]): YamlText | null {
  const { text, document } = source;
  const before = others(source.value(), edits);
  const normal = stringify(document, text);
  const entries = byGroup((kind) => new Entries(document, groupOf(kind)));
  for (const edit of edits) {
    if (edit.kind === 'setSetting') {
      setSetting(document, edit);
    } else {
      makeEdit(document, edit, entries[groupOf(edit.what)]);
    }
  }
  const { edited, wanted } = printed(document, text) ?? {};
  // Another entry may use an anchor inside the edited one.
  if (edited === undefined || !isDeepStrictEqual(before, others(wanted, edits))) {
    return null;
  }
  const kept = parsed(keepLines(text, normal, edited));
  if (kept !== null && isDeepStrictEqual(plainValue(kept), wanted)) {
    return kept;
  }
  const whole = parsed(edited);
  return whole !== null && isDeepStrictEqual(before, others(plainValue(whole), edits)) ? whole : null;
}

type SettingEdit = Extract<ConfigEdit, { kind: 'setSetting' }>;

function makeEdit(document: Document, edit: EntryEdit | SetKeyEdit, entries: Entries): void {
  if (edit.kind === 'remove') {
    entries.remove(edit.name);
    return;
  }
  const old = entries.find(edit.name);
  if (edit.kind === 'setKey') {
    setKey(document, edit, entries);
    return;
  }
  const { value } = edit;
  if (isMap(old) && !old.anchor && typeof value === 'object' && value !== null) {
    merge(document, old, value as Record<string, unknown>, edit.what);
  } else {
    entries.set(edit.name, value);
  }
}

function setKey(document: Document, { name, key, value }: SetKeyEdit, entries: Entries): void {
  const old = entries.find(name);
  if (isMap(old) && !old.anchor) {
    setValue(document, old, key, value);
  } else if (isNode(old)) {
    entries.set(name, { ...old.toJS(document), [key]: value });
  }
}

function setSetting(document: Document, { name, value }: SettingEdit): void {
  if (!isMap(document.contents)) {
    document.contents = document.createNode({ version: 1 }) as never;
  }
  const contents = document.contents as unknown as YAMLMap;
  const old: unknown = contents.get(name, true);
  if (Object.keys(value).length === 0) {
    contents.delete(name);
  } else if (isMap(old) && !old.anchor) {
    for (const gone of Object.keys(settingSchemas[name].shape).filter((key) => !Object.hasOwn(value, key))) {
      old.delete(gone);
    }
    for (const [key, next] of Object.entries(value)) {
      setValue(document, old, key, next);
    }
  } else {
    contents.set(name, document.createNode(value));
  }
}

/** Null where an alias has lost its anchor. */
function printed(document: Document, source: string): { edited: string; wanted: unknown } | null {
  try {
    const edited = stringify(document, source);
    return { edited, wanted: document.toJS({ maxAliasCount: aliasLimit }) };
  } catch {
    return null;
  }
}

function parsed(text: string | null): YamlText | null {
  return text === null ? null : parseYamlText(text);
}

function plainValue(yaml: YamlText): unknown {
  try {
    return yaml.value();
  } catch {
    return undefined;
  }
}

/** Name of the JSON Schema beside config.yaml. A relative path is right on every machine that shares the dotfiles. */
export const schemaFileName = 'config.schema.json';

/** A new config.yaml; its second line names the JSON Schema for editors. */
export const newConfigText = `# Lanyard: accounts and clusters. No secrets here: they are set with \`lanyard secret set ACCOUNT\`.
# yaml-language-server: $schema=./${schemaFileName}

version: 1
`;

/** Sets the new keys, removes known keys that the new value lacks, and keeps unknown ones. */
function merge(document: Document, map: YAMLMap, value: Record<string, unknown>, what: ConfiguredKind): void {
  const known = what === 'account' ? accountKinds : configuredKinds[what].schema.shape;
  for (const key of Object.keys(known).filter((key) => !Object.hasOwn(value, key))) {
    map.delete(key);
  }
  for (const [key, next] of Object.entries(value)) {
    const inner = map.get(key, true);
    const schema = what === 'account' ? accountKinds[key as keyof typeof accountKinds] : undefined;
    if (schema && isMap(inner) && typeof next === 'object' && next !== null) {
      for (const gone of Object.keys(schema.shape).filter((name) => !Object.hasOwn(next, name))) {
        inner.delete(gone);
      }
      for (const [name, part] of Object.entries(next)) {
        setValue(document, inner, name, part);
      }
    } else {
      setValue(document, map, key, next);
    }
  }
}

function setValue(document: Document, map: YAMLMap, key: string, value: unknown): void {
  const old: unknown = map.get(key, true);
  if (isNode(old) && isDeepStrictEqual(old.toJS(document), value)) {
    return; // as it is written, with its comments
  }
  const node = document.createNode(value);
  if (isScalar(old) && isScalar(node)) {
    old.value = node.value;
    return;
  }
  map.set(key, node);
}

/** Everything but the edited entries. */
function others(value: unknown, edits: readonly ConfigEdit[]): unknown {
  const whole = { ...(value ?? {}) } as Record<string, Record<string, unknown> | null | undefined>;
  const copies = byGroup((kind) => ({ ...whole[groupOf(kind)] }));
  for (const edit of edits) {
    if (edit.kind === 'setSetting') {
      delete whole[edit.name];
    } else {
      delete copies[groupOf(edit.what)][edit.name];
    }
  }
  return { ...whole, version: 1, ...copies };
}

/** Prints the document in the user’s style: their indentation, their line ends, no line wrapped. */
function stringify(document: Document, source: string): string {
  const first = isMap(document.contents) ? document.contents.items.find((item) => isPair(item)) : undefined;
  const indent = /^( +)\S/m.exec(source.replace(/^\s*#.*$/gm, ''))?.[1]?.length;
  const text = document.toString({
    lineWidth: 0,
    indent: first && indent !== undefined && indent >= 1 && indent <= 8 ? indent : 2,
    indentSeq: !/^( *)[^\s#-][^\n]*:[ \t]*\r?\n\1- /m.test(source),
    flowCollectionPadding: /\{ /.test(source) || !/[[{][^\s\]}]/.test(source),
  });
  return source.includes('\r\n') ? text.replace(/\r?\n/g, '\r\n') : text;
}
