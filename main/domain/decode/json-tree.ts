import type { Member, Tree, Unreadable } from './tree.ts';

/** As Go's decoder; deeper texts are none. */
const mostDeep = 10_000;

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/gy;
const space = /[ \t\r\n]*/gy;

/** The tree of a JSON text; its fault in apimachinery’s words. */
export function jsonTree(text: string): { ok: true; tree: Tree } | Unreadable {
  const read = plainJsonTree(text);
  return read.ok
    ? read
    : { ok: false, message: `couldn't get version/kind; json parse error: ${read.message}` };
}

/** The tree of a JSON text; its fault about in the words of encoding/json. */
export function plainJsonTree(text: string): { ok: true; tree: Tree } | Unreadable {
  try {
    JSON.parse(text);
  } catch (error) {
    return unreadable(fault(error, text));
  }
  const tree = walk(text);
  return tree ? { ok: true, tree } : unreadable('exceeded max depth');
}

/** V8's message quotes the text, so that only its position is taken. */
function fault(error: unknown, text: string): string {
  const at = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  const isCut = at === undefined ? /end of JSON/.test(String(error)) : Number(at) >= text.length;
  return isCut || /Unterminated/.test(String(error))
    ? 'unexpected end of JSON input'
    : `invalid JSON${at === undefined ? '' : ` at character ${Number(at) + 1}`}`;
}

interface Open {
  /** Null: a list. */
  members: Member[] | null;
  items: Tree[];
  /** The member that is read. */
  name: string | null;
}

/** Of a text that is JSON, as JSON.parse has said; null where it is too deep. */
function walk(text: string): Tree | null {
  const open: Open[] = [];
  let at = 0;
  for (;;) {
    space.lastIndex = at;
    space.test(text);
    token.lastIndex = space.lastIndex;
    const [piece] = token.exec(text) ?? [];
    at = token.lastIndex;
    const inside = open.at(-1);
    let done: Tree | null = null;
    switch (piece) {
      case undefined:
        return null;
      case ',':
      case ':':
        continue;
      case '{':
      case '[':
        if (open.length >= mostDeep) {
          return null;
        }
        open.push({ members: piece === '{' ? [] : null, items: [], name: null });
        continue;
      case '}':
      case ']':
        open.pop();
        done = inside?.members
          ? { kind: 'object', members: inside.members }
          : { kind: 'array', items: inside?.items ?? [] };
        break;
      default:
        if (inside?.members && inside.name === null) {
          inside.name = JSON.parse(piece);
          continue;
        }
        done = scalar(piece);
    }
    const around = open.at(-1);
    if (!around) {
      return done;
    }
    if (!around.members) {
      around.items.push(done);
    } else if (around.name !== null) {
      around.members.push([around.name, done]);
      around.name = null;
    }
  }
}

function scalar(piece: string): Tree {
  switch (piece[0]) {
    case '"':
      return { kind: 'string', value: JSON.parse(piece) };
    case 'n':
      return { kind: 'null' };
    case 't':
    case 'f':
      return { kind: 'bool', value: piece === 'true' };
    default:
      return { kind: 'number', text: piece };
  }
}

function unreadable(message: string): Unreadable {
  return { ok: false, message };
}
