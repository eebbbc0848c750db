/** A file of the project: its path from the root, with slashes, and its text. */
export interface ProjectFile {
  path: string;
  text: string;
}

/** A name that may be cited, with the files that its entry says it is enforced and shown in. */
interface Entry {
  name: string;
  enforced: readonly string[];
  shown: readonly string[];
}

interface Citation {
  name: string;
  path: string;
  line: number;
}

const rulesFile = 'docs/RULES.md';
const kepFile = /^docs\/kep-(\d+)\.md$/;

const ruleCitation = /\(rule: ([^()\n]*)\)/g;
const demandCitation = /\bKEP-\d+\/[a-z0-9-]*/g;
/** Numbers of lists that are not in the project. `X11` is a screen. */
const leftovers = [
  /\brules?[ -]\d+/gi,
  /\b(?:[EKC]\d\d|X(?!11)\d\d)(?=[),:]| and | or )/g,
  /\([r]ule:[^()\n]*$/gm,
  /\((?!rule:(?: |$))[Rr]ules?:/gm,
];

/**
 * What is wrong with the citations of docs/RULES.md and of the KEPs' tables, a line each, none where all is well.
 * `files`: all that may cite, and the lists themselves. `exists` tells whether the project has a file or folder.
 */
export function citationFaults(files: readonly ProjectFile[], exists: (path: string) => boolean): string[] {
  const lists = files.filter(({ path }) => path === rulesFile || kepFile.test(path));
  const citing = files.filter((file) => !lists.includes(file));
  const rules = lists.filter(({ path }) => path === rulesFile).flatMap(rulesOf);
  const demands = lists.flatMap(demandsOf);
  const ruleCitations = files.flatMap((file) =>
    matchesIn(file, ruleCitation).flatMap(({ match, line }) =>
      (match[1] ?? '').split(', ').map((name) => ({ name, path: file.path, line })),
    ),
  );
  const demandCitations = files.flatMap((file) =>
    matchesIn(file, demandCitation).map(({ match, line }) => ({ name: match[0], path: file.path, line })),
  );
  return [
    ...(rules.length === 0 ? [`${rulesFile}: has no rules`] : []),
    ...unknown(ruleCitations, rules, 'no rule is named'),
    ...unknown(demandCitations, demands, 'no row is named'),
    ...citing.flatMap((file) =>
      leftovers.flatMap((form) =>
        matchesIn(file, form).map(
          ({ match, line }) => `${file.path}:${line}: cite by name, on one line: ${match[0].trim()}`,
        ),
      ),
    ),
    ...lists.flatMap(({ path, text }) =>
      pathsIn(text)
        .filter((named) => !exists(named))
        .map((named) => `${path}: there is no ${named}`),
    ),
    ...rules.flatMap(({ name, enforced, shown }) => [
      ...eachUncited(`${rulesFile}: ${name}`, 'enforced in', enforced.filter(exists), ruleCitations, name),
      ...eachUncited(`${rulesFile}: ${name}`, 'shown by', shown.filter(exists), ruleCitations, name),
    ]),
    ...demands.flatMap(({ name, shown }) => uncited(name, 'shown by', shown, demandCitations, name)),
  ];
}

/** Sections `### NAME` with two lists of files: `- Enforced in:` and `- Shown by:`. */
function rulesOf({ text }: ProjectFile): Entry[] {
  return text
    .split(/^### /m)
    .slice(1)
    .map((section) => ({
      name: /^.*/.exec(section)?.[0].trim() ?? '',
      enforced: pathsIn(/^- Enforced in: .*$/m.exec(section)?.[0] ?? ''),
      shown: pathsIn(/^- Shown by: .*$/m.exec(section)?.[0] ?? ''),
    }));
}

/** Rows of a table: `NAME` first, the tests last. */
function demandsOf({ path, text }: ProjectFile): Entry[] {
  const number = kepFile.exec(path)?.[1];
  if (number === undefined) {
    return [];
  }
  return [...text.matchAll(/^\| `([a-z0-9-]+)` \|.*\|([^|]*)\|$/gm)].map(([, name = '', tests = '']) => ({
    name: `KEP-${number}/${name}`,
    enforced: [],
    shown: pathsIn(tests),
  }));
}

/** Paths of the project, in backticks. */
function pathsIn(text: string): string[] {
  const paths = /`((?:app|docs|main|native-helper|renderer|scripts|test)\/[^`\s]+)`/g;
  return [...text.matchAll(paths)].flatMap(([, path]) => path ?? []);
}

function unknown(citations: readonly Citation[], entries: readonly Entry[], what: string): string[] {
  const names = new Set(entries.map(({ name }) => name));
  return citations
    .filter(({ name }) => !names.has(name))
    .map(({ name, path, line }) => `${path}:${line}: ${what} ${name === '' ? 'here' : name}`);
}

/** A fault for each file that an entry names and that doesn't cite it, and one where it names none. */
function eachUncited(
  where: string,
  what: string,
  named: readonly string[],
  citations: readonly Citation[],
  name: string,
): string[] {
  return named.length === 0
    ? [`${where}: names no file that it is ${what}`]
    : named.flatMap((file) => {
        const isCited = citations.some((citation) => citation.name === name && citation.path === file);
        return isCited ? [] : [`${where}: ${what} ${file}, which does not cite it`];
      });
}

/** A fault where none of the files that an entry names cites it. */
function uncited(
  where: string,
  what: string,
  named: readonly string[],
  citations: readonly Citation[],
  name: string,
): string[] {
  const isCited = citations.some((citation) => citation.name === name && named.includes(citation.path));
  return isCited ? [] : [`${where}: no file that it is ${what} cites it`];
}

function matchesIn({ text }: ProjectFile, form: RegExp): { match: RegExpExecArray; line: number }[] {
  return [...text.matchAll(form)].map((match) => ({
    match,
    line: text.slice(0, match.index).split('\n').length,
  }));
}
