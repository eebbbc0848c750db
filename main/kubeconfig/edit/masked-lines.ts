import { type Document, isAlias, isMap, isPair, isScalar, isSeq } from 'yaml';
import { isOwnExec } from './own-exec.ts';
import { contentEnd } from './places.ts';
import {
  openAddress,
  openComment,
  ownExec,
  type Path,
  type Shown,
  shownByLooks,
  shownOfKubeconfig,
} from './shown.ts';

const mask = '[hidden]';

/** A key or a value and where it stands. */
interface Written {
  start: number;
  end: number;
  shown: Shown;
}

type ShownIn = (path: Path, value: string) => Shown;

/**
 * The lines of a YAML text as people may see them: of a kubeconfig only what is known to be no secret, of another one
 * all but what looks like one. As many lines as the text has; a hidden value of several lines is hidden in each.
 */
export function maskedLines(text: string, document: Document): string[] {
  const shownIn = isKubeconfig(document) ? shownOfKubeconfig : shownByLooks;
  const written: Written[] = [];
  collect(text, document.contents, [], shownIn, document, written);
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, shown } of written.sort((a, b) => a.start - b.start)) {
    parts.push(between(text.slice(at, start)), shownText(text.slice(start, end), shown));
    at = end;
  }
  // After the first document's end come others, which nobody reads.
  const end = Math.max(at, document.range?.[1] ?? text.length);
  parts.push(between(text.slice(at, end)), hidden(text.slice(end)));
  return parts.join('').split(/\r?\n/);
}

function isKubeconfig({ contents }: Document): boolean {
  const keys = isMap(contents)
    ? contents.items.map(({ key }) => (isScalar(key) ? String(key.value) : ''))
    : [''];
  return !keys.includes('accounts') && !(keys.includes('version') && !keys.includes('users'));
}

function collect(
  text: string,
  node: unknown,
  path: Path,
  shownIn: ShownIn,
  document: Document,
  written: Written[],
): void {
  if (isMap(node)) {
    for (const pair of node.items.filter((each) => isPair(each))) {
      const key = isScalar(pair.key) ? String(pair.key.value) : '';
      const isOwn = key === 'exec' && isOwnExec(pair.value, document);
      collect(text, pair.key, [], () => 'whole', document, written);
      collect(text, pair.value, [...path, isOwn ? ownExec : key], shownIn, document, written);
    }
  } else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) {
      collect(text, item, [...path, index], shownIn, document, written);
    }
  } else if (isScalar(node) && node.range) {
    const end = contentEnd(text, node);
    const value = typeof node.value === 'string' ? node.value : (node.source ?? '');
    if (end > node.range[0]) {
      written.push({ start: node.range[0], end, shown: shownIn(path, value) });
    }
  } else if (isAlias(node) && node.range) {
    written.push({ start: node.range[0], end: node.range[1], shown: 'whole' });
  }
}

function shownText(text: string, shown: Shown): string {
  if (shown === 'short' && text.length > 16 && !text.includes('\n')) {
    return `${text.slice(0, 12)}… (${text.length} characters)`;
  }
  switch (shown) {
    case 'whole':
    case 'short':
      return text;
    case 'address':
      return openAddress(text);
    case 'hidden':
      return hidden(text);
  }
}

function hidden(text: string): string {
  return text
    .split(/(\r?\n)/)
    .map((line) => line.replace(/\S.*$/, mask))
    .join('');
}

/** What stands between keys and values: signs, anchors, tags, comments. Other words don't belong there. */
function between(text: string): string {
  return text
    .split(/((?<=^|\s)#.*)/)
    .map((part, index) =>
      index % 2 === 1 ? openComment(part) : part.replace(/(?<![&!%\w])[\w+/=.]{4,}/g, mask),
    )
    .join('');
}
