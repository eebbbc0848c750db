import { isMap, type Pair, type YAMLMap } from 'yaml';
import { editFlowMap } from '../../kubeconfig/edit/edit-flow-map.ts';
import { rangeOf } from '../../kubeconfig/edit/places.ts';
import { doubleQuoted } from '../../kubeconfig/edit/scalar-text.ts';
import { applyEdits, type Edit, orderEdits } from '../../kubeconfig/edit/splice.ts';
import { type TreePair, treeOf } from '../../kubeconfig/edit/tree.ts';
import { flowValue } from '../../kubeconfig/edit/write-tree.ts';
import { type AuthKey, type DockerConfig, keyOf } from './docker-config.ts';

/** What is changed of a config.json. All else keeps its bytes. */
export interface DockerChanges {
  /** A text: is set. Null: is taken out. Undefined: stays. */
  credsStore?: string | null;
  /** By the server; null: is taken out. */
  credHelpers: Readonly<Record<string, string | null>>;
  /** `credHelpers` is taken out where no helper is left in it. */
  dropEmptyHelpers: boolean;
  /** Keys that are taken out of entries of `auths`, by the entry’s server. The entry stays, as docker leaves it. */
  auths: Readonly<Record<string, readonly AuthKey[]>>;
}

export const noChanges: DockerChanges = { credHelpers: {}, dropEmptyHelpers: false, auths: {} };

/** The text after the changes: keys keep their order, and new ones come last, indented as the file is. */
export function editDockerConfig({ text, root }: DockerConfig, changes: DockerChanges): string {
  const top: TopChange[] = [];
  const edits: Edit[] = [];
  if (changes.credsStore !== undefined) {
    top.push(['credsStore', changes.credsStore]);
  }
  const helpers = root && innerMap(root, 'credHelpers');
  const wanted = Object.entries(changes.credHelpers);
  const added = wanted.filter(([, value]) => value !== null) as [string, string][];
  if (helpers && helpers.items.length > 0) {
    const gone = new Set(wanted.flatMap(([key, value]) => (value === null ? [key] : [])));
    const isEmpty = added.length === 0 && helpers.items.every((pair) => gone.has(keyOf(pair)));
    if (isEmpty && changes.dropEmptyHelpers) {
      top.push(['credHelpers', null]);
    } else {
      edits.push(...changeMap(text, helpers, wanted));
    }
  } else if (added.length > 0) {
    top.push(['credHelpers', Object.fromEntries(added)]);
  }
  const auths = root && innerMap(root, 'auths');
  for (const [server, keys] of Object.entries(changes.auths)) {
    const entry = auths && innerMap(auths, server);
    if (entry && keys.length > 0) {
      edits.push(
        ...changeMap(
          text,
          entry,
          keys.map((key) => [key, null]),
        ),
      );
    }
  }
  if (top.length > 0) {
    edits.push(...(root ? changeMap(text, root, top) : [freshFile(text.whole.length, top)]));
  }
  return applyEdits(text.whole, orderEdits(edits));
}

type TopChange = readonly [key: string, value: string | null | Readonly<Record<string, string>>];

/** Sets and takes out keys of one object. */
function changeMap(text: DockerConfig['text'], map: YAMLMap, changes: readonly TopChange[]): Edit[] {
  const edits: Edit[] = [];
  const removed: Pair[] = [];
  const added: TreePair[] = [];
  for (const [key, value] of changes) {
    const pair = map.items.find((each) => keyOf(each) === key);
    if (pair && value === null) {
      removed.push(pair);
    } else if (pair) {
      const [start = 0, end = start] = rangeOf(pair.value) ?? [];
      edits.push({ start, end, text: compact(value), rank: 0 });
    } else if (value !== null) {
      added.push([key, treeOf(value)]);
    }
  }
  const [start = 0, end = start] = map.range ?? [];
  if (removed.length === map.items.length) {
    // An empty object has no first key whose layout could be followed.
    return [{ start, end, text: added.length === 0 ? '{}' : fresh(added), rank: 0 }];
  }
  return [...edits, ...editFlowMap(text, map, removed, added)];
}

function compact(value: TopChange[1]): string {
  return typeof value === 'string' ? doubleQuoted(value) : JSON.stringify(value);
}

function freshFile(end: number, changes: readonly TopChange[]): Edit {
  const pairs = changes.flatMap(([key, value]): TreePair[] => (value === null ? [] : [[key, treeOf(value)]]));
  return { start: 0, end, text: pairs.length === 0 ? '' : fresh(pairs), rank: 0 };
}

/** As docker writes it: with tabs, and without a line break at the end. */
function fresh(pairs: readonly TreePair[]): string {
  const lines = { newline: '\n', indent: '', step: '\t' };
  return flowValue({ kind: 'map', pairs }, { where: 'json', space: ' ', padding: '', lines });
}

function innerMap(map: YAMLMap, key: string): YAMLMap | null {
  const value = map.items.find((pair) => keyOf(pair) === key)?.value;
  return isMap(value) ? (value as YAMLMap) : null;
}
