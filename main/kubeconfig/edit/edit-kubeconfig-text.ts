import { isDeepStrictEqual } from 'node:util';
import { once } from '../../base/once.ts';

import { plainJs } from '../../base/plain-blocks.ts';
import { readPlainYaml } from '../read/yaml-tree.ts';
import { addEntry } from './add-entry.ts';
import type { EditedKubeconfig, KubeconfigChange } from './change.ts';
import { changeList } from './change-list.ts';
import { editInnerMap, editMap, type MapChange, writtenOut } from './edit-inner-map.ts';
import { type Entries, entriesOf, entryOf } from './entries.ts';
import { expectedValue } from './expected.ts';
import { EditFault } from './fault.ts';
import { hunksOfEdits } from './hunks-of-edits.ts';
import { lookUp } from './pairs.ts';
import { parseSource, type Source } from './source.ts';
import { applyEdits, type Edit, orderEdits } from './splice.ts';
import { styleOf } from './style.ts';
import { treeOf } from './tree.ts';
import { authenticationKeys } from './user-keys.ts';
import { blockPair, type Style } from './write-tree.ts';

/**
 * Makes the changes in the text of a kubeconfig: only the lines of the entries that change are others afterwards, all
 * else stays byte for byte. What comes out is read again and compared: where it says anything else than it should,
 * the answer is a fault, never another text. A fault says why, without a full stop and without a value of the file.
 */
export function editKubeconfigText(text: string, changes: readonly KubeconfigChange[]): EditedKubeconfig {
  try {
    const source = parseSource(text);
    const edits = orderEdits(editsFor(source, changes));
    const result = applyEdits(text, edits);
    // Parsed only where it has to be: thousands of entries take the parser half a second.
    const edited = once(() => parseEdited(result));
    if (
      !isPlainlyRight(text, result, changes) &&
      !isDeepStrictEqual(edited().value, expectedValue(source.value, changes))
    ) {
      throw new EditFault(
        'the change would change other entries, too: they share an anchor or a merge with it',
      );
    }
    // Only where they are shown: thousands of changes take as long to diff as to make.
    const hunks = once(() => hunksOfEdits(source, edited(), edits));
    return {
      ok: true,
      text: result,
      get hunks() {
        return hunks();
      },
    };
  } catch (error) {
    if (error instanceof EditFault) {
      return { ok: false, fault: error.message };
    }
    throw error;
  }
}

/** True where both texts are in the layout that programs write, and the result says what it should. */
function isPlainlyRight(text: string, result: string, changes: readonly KubeconfigChange[]): boolean {
  const [before, after] = [readPlainYaml(text), readPlainYaml(result)];
  return (
    before !== null &&
    after !== null &&
    isDeepStrictEqual(plainJs(after), expectedValue(plainJs(before), changes))
  );
}

function parseEdited(text: string): Source {
  try {
    return parseSource(text);
  } catch (error) {
    if (error instanceof EditFault) {
      throw new EditFault('the entries are written in a way that can’t be changed without other entries');
    }
    throw error;
  }
}

function editsFor(source: Source, changes: readonly KubeconfigChange[]): Edit[] {
  const style = styleOf(source.text, source.root);
  const users = once(() => entriesOf(source, 'users'));
  const contexts = once(() => entriesOf(source, 'contexts'));
  const seen = new Set<string>();
  return changes.flatMap((change) => {
    const id = `${change.kind} ${nameIn(change)}`;
    if (seen.has(id)) {
      throw new EditFault(`${nameIn(change)} is to change twice`);
    }
    seen.add(id);
    return editsForChange(source, change, { users, contexts }, style);
  });
}

interface Lists {
  users(): Entries | null;
  contexts(): Entries | null;
}

function editsForChange(
  source: Source,
  change: KubeconfigChange,
  { users, contexts }: Lists,
  style: Omit<Style, 'newline'>,
): Edit[] {
  switch (change.kind) {
    case 'setUserExec':
      return editInnerMap(source, entryOf(users(), 'user', change.user).map, 'user', toExec(change), style);
    case 'addUser':
      return [addUser(source, users(), change, style)];
    case 'setContextUser': {
      const { map } = entryOf(contexts(), 'context', change.context);
      return editInnerMap(source, map, 'context', toValue('user', change.user), style);
    }
    case 'setCurrentContext':
      return setCurrentContext(source, change.context, style);
    case 'changeList':
      return changeList(source, change, style);
  }
}

function nameIn(change: KubeconfigChange): string {
  switch (change.kind) {
    case 'setUserExec':
    case 'addUser':
      return change.user;
    case 'setContextUser':
      return change.context;
    case 'setCurrentContext':
      return 'current-context';
    case 'changeList':
      return change.list;
  }
}

function toExec({ exec }: { exec: object }): MapChange {
  return { removed: authenticationKeys, added: [['exec', treeOf(exec)]] };
}

function toValue(key: string, value: string): MapChange {
  return { removed: new Set([key]), added: [[key, { kind: 'text', value }]] };
}

function addUser(
  source: Source,
  users: Entries | null,
  change: Extract<KubeconfigChange, { kind: 'addUser' }>,
  style: Omit<Style, 'newline'>,
): Edit {
  const { list, map } = entryOf(users, 'user', change.after);
  if (users?.byName.has(change.user)) {
    throw new EditFault(`there is a user ${change.user} in it already`);
  }
  const pairs = writtenOut(lookUp(map, 'user', source.document), toExec(change), source.document, 'user');
  const entry = [
    ['name', { kind: 'text', value: change.user }],
    ['user', { kind: 'map', pairs }],
  ] as const;
  return addEntry(source, list, map, entry, style);
}

function setCurrentContext(source: Source, context: string, style: Omit<Style, 'newline'>): Edit[] {
  const { text, root, document } = source;
  if (root && root.items.length > 0) {
    const edits = editMap(text, root, toValue('current-context', context), document, style);
    // After what is added to the last list of the file.
    return edits.map((edit) => ({ ...edit, rank: 2 }));
  }
  const line = blockPair(['current-context', { kind: 'text', value: context }], 0, {
    ...style,
    newline: '\n',
  });
  if (root || text.whole.includes('---')) {
    throw new EditFault('there is nothing in it');
  }
  // Nothing, or comments alone.
  const { whole } = text;
  const atLineStart = whole === '' || whole === '\ufeff' || whole.endsWith('\n');
  return [{ start: whole.length, end: whole.length, text: `${atLineStart ? '' : '\n'}${line}\n`, rank: 0 }];
}

/** What a kubeconfig says, as plain values; null: it can't be edited anyway, and `editKubeconfigText` says why. */
export function kubeconfigValue(text: string): unknown {
  const plain = readPlainYaml(text);
  if (plain !== null) {
    return plainJs(plain);
  }
  try {
    return parseSource(text).value;
  } catch (error) {
    if (error instanceof EditFault) {
      return null;
    }
    throw error;
  }
}
