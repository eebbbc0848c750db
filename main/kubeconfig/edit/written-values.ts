import { type Document, isAlias, isMap, isPair, isScalar, isSeq } from 'yaml';
import { isOwnExec } from './own-exec.ts';
import { contentEnd, rangeOf } from './places.ts';
import { ownExec, type Path, type Shown, shownOfConfig, shownOfKubeconfig } from './shown.ts';
import type { Source } from './source.ts';

/** A key or a value, with its place and how it may be shown. */
export interface Written {
  start: number;
  end: number;
  shown: Shown;
}

/**
 * All keys and values of a YAML text at the places of `isWanted`, in the text’s order. Of a kubeconfig only known
 * non-secrets are shown, of a config.yaml all but what looks like a secret.
 */
export function writtenValues(
  { text, document }: Source,
  isWanted: (start: number, end: number) => boolean,
): Written[] {
  const shownIn = isKubeconfig(document) ? shownOfKubeconfig : shownOfConfig;
  const written: Written[] = [];
  const add = (node: unknown, shown: Shown) => {
    const start = rangeOf(node)?.[0];
    const end = contentEnd(text, node);
    if (start !== undefined && end > start && isWanted(start, end)) {
      written.push({ start, end, shown });
    }
  };
  const collect = (node: unknown, path: Path): void => {
    if (isMap(node)) {
      for (const pair of node.items.filter((each) => isPair(each))) {
        const key = isScalar(pair.key) ? String(pair.key.value) : '';
        const isOwn = key === 'exec' && isOwnExec(pair.value, document);
        collectKey(pair.key, path);
        collect(pair.value, [...path, isOwn ? ownExec : key]);
      }
    } else if (isSeq(node)) {
      for (const [index, item] of node.items.entries()) {
        const range = rangeOf(item);
        if (!range || isWanted(range[0], range[2])) {
          collect(item, [...path, index]);
        }
      }
    } else if (isScalar(node)) {
      add(node, shownIn(path, typeof node.value === 'string' ? node.value : (node.source ?? '')));
    } else if (isAlias(node)) {
      add(node, 'whole');
    }
  };
  /** A key that is a collection is no name any more. */
  const collectKey = (key: unknown, path: Path): void => {
    if (isScalar(key) || isAlias(key)) {
      add(key, 'whole');
    } else {
      collect(key, [...path, '']);
    }
  };
  collect(document.contents, []);
  return written.sort((a, b) => a.start - b.start);
}

/** Only what is clearly a config.yaml is none. */
function isKubeconfig({ contents }: Document): boolean {
  const keys = new Set(
    isMap(contents) ? contents.items.map(({ key }) => (isScalar(key) ? key.value : null)) : [],
  );
  const isConfig = keys.has('accounts') || keys.has('version');
  return !isConfig || ['users', 'contexts', 'kind', 'apiVersion'].some((key) => keys.has(key));
}
