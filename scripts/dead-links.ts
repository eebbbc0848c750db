import { posix } from 'node:path';
import GithubSlugger from 'github-slugger';
import { lexer, type Token, type Tokens, walkTokens } from 'marked';

/** A link, a picture or a file’s name of a document, as it stands there. */
interface Link {
  href: string;
  /** From 1: the first line of the document that holds this link. */
  line: number;
}

/**
 * Links of Markdown documents that lead nowhere: to a file that is not in the repository, or to a heading that the
 * document does not have. One `FILE:LINE: HREF: why` for each. Links to other sites are not followed.
 *
 * @param documents Markdown by path. Paths are relative to the repository, with slashes.
 * @param files Every file of the repository.
 */
export function deadLinks(documents: ReadonlyMap<string, string>, files: ReadonlySet<string>): string[] {
  const folders = new Set([...files].flatMap(foldersOf));
  const anchors = new Map([...documents].map(([path, text]) => [path, anchorsOf(text)] as const));
  return [...documents].flatMap(([path, text]) => [
    ...linksOf(text).flatMap(({ href, line }) => {
      const fault = faultOf(path, href);
      return fault === null ? [] : [`${path}:${line}: ${href}: ${fault}`];
    }),
    ...unresolved(text).map(({ href, line }) => `${path}:${line}: ${href}: there is no such reference`),
  ]);

  function faultOf(path: string, href: string): string | null {
    if (/^([a-z][a-z\d+.-]*:|\/\/)/i.test(href)) {
      return null;
    }
    const decoded = decodedOf(href);
    if (decoded === null) {
      return 'its percent signs encode no text';
    }
    const [file = '', anchor] = decoded.split('#', 2);
    const target = file === '' ? path : posix.join(posix.dirname(path), file).replace(/\/$/, '');
    if (file.startsWith('/') || !(files.has(target) || folders.has(target))) {
      return 'there is no such file in the repository';
    }
    if (anchor === undefined || anchors.get(target)?.has(anchor) === true) {
      return null;
    }
    return `${target} has no such heading`;
  }
}

/** Percent signs encode a space and the like; null: they encode nothing. */
function decodedOf(href: string): string | null {
  try {
    return decodeURIComponent(href);
  } catch {
    return null;
  }
}

/**
 * Files that documents name in code, as `main/base/secret.ts`, and that the repository doesn't have. One
 * `FILE:LINE: NAME: why` for each. `AREA` or `*` in a name stands for many files: those are left out.
 */
export function missingFiles(documents: ReadonlyMap<string, string>, files: ReadonlySet<string>): string[] {
  const folders = new Set([...files].flatMap(foldersOf));
  const roots = [...folders].filter((folder) => folder !== '.' && !folder.includes('/'));
  return [...documents].flatMap(([path, text]) =>
    namesOf(text, roots).flatMap(({ href, line }) =>
      files.has(href) || folders.has(href.replace(/\/$/, ''))
        ? []
        : [`${path}:${line}: ${href}: there is no such file in the repository`],
    ),
  );
}

/**
 * Commands that documents name, as `npm run NAME` and `./scripts/NAME`, and that the repository doesn't have. One
 * `FILE:LINE: COMMAND: why` for each. `scripts`: those of package.json.
 */
export function missingCommands(
  documents: ReadonlyMap<string, string>,
  scripts: ReadonlySet<string>,
  files: ReadonlySet<string>,
): string[] {
  return [...documents].flatMap(([path, text]) =>
    text
      .split('\n')
      .flatMap((row, index) => [
        ...[...row.matchAll(/\bnpm run (?:-\S+ )*(\w[\w:-]*)/g)]
          .filter(([, name = '']) => !scripts.has(name))
          .map(([command]) => `${path}:${index + 1}: ${command}: package.json has no such script`),
        ...[...row.matchAll(/(?<![\w.])\.\/(scripts\/(?:[\w./-]*\w)?)/g)]
          .filter(([, file = '']) => !files.has(file))
          .map(([file]) => `${path}:${index + 1}: ${file}: there is no such file in the repository`),
      ]),
  );
}

/** Words of code that begin with a folder of the repository's root, each once. */
function namesOf(text: string, roots: readonly string[]): Link[] {
  const names = new Set<string>();
  walkTokens(lexer(text), (token) => {
    const name = token.type === 'codespan' ? (token as Tokens.Codespan).text : '';
    const isPath = /^[\w.-]+\/[\w./-]*$/.test(name) && !/[A-Z]{2}[^.]*\.ts$/.test(name);
    if (isPath && roots.some((root) => name.startsWith(`${root}/`))) {
      names.add(name);
    }
  });
  return placed([...names], text);
}

/** `docs/adr/0001.md` is in `docs/adr`, `docs` and the repository itself. */
function foldersOf(file: string): string[] {
  const folder = posix.dirname(file);
  return folder === '.' ? ['.'] : [folder, ...foldersOf(folder)];
}

function linksOf(text: string): Link[] {
  const hrefs: string[] = [];
  walkTokens(lexer(text), (token) => {
    if (token.type === 'link' || token.type === 'image') {
      hrefs.push((token as Tokens.Link | Tokens.Image).href);
    } else if (token.type === 'html') {
      hrefs.push(...attributesOf(token.raw, 'href|src|srcset'));
    }
  });
  return placed(hrefs, text);
}

/** `[text][name]` where the document defines no `name`: Markdown leaves it as text. */
function unresolved(text: string): Link[] {
  const found: string[] = [];
  walkTokens(lexer(text), (token) => {
    if (token.type === 'text' && !('tokens' in token && token.tokens)) {
      found.push(...(token.raw.match(/\[[^\][]+\]\[[^\][]*\]/g) ?? []));
    }
  });
  return placed(found, text);
}

function placed(hrefs: readonly string[], text: string): Link[] {
  const lines = text.split('\n');
  return hrefs.map((href) => ({ href, line: lines.findIndex((line) => line.includes(href)) + 1 }));
}

/** The ids of a document's headings, as GitHub makes them, and those that it sets itself. */
function anchorsOf(text: string): ReadonlySet<string> {
  const slugger = new GithubSlugger();
  const anchors = new Set<string>();
  walkTokens(lexer(text), (token) => {
    if (token.type === 'heading') {
      anchors.add(slugger.slug(plainText((token as Tokens.Heading).tokens)));
    } else if (token.type === 'html') {
      for (const id of attributesOf(token.raw, 'id|name')) {
        anchors.add(id);
      }
    }
  });
  return anchors;
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) =>
      'tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token ? token.text : '',
    )
    .join('');
}

function attributesOf(html: string, names: string): string[] {
  const attribute = new RegExp(`\\s(?:${names})=(?:"([^"]*)"|'([^']*)')`, 'g');
  return [...html.matchAll(attribute)].map(([, double, single]) => double ?? single ?? '');
}
