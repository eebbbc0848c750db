import ts from 'typescript';

/** What docs/GLOSSARY.md replaced, in texts that users read, and the term that stands there now. */
const retiredTexts: readonly (readonly [RegExp, string])[] = [
  [/\bin(to)? force\b/i, 'active, approve'],
  [/\bhand(s|ed|ing)? (it |them )?out\b|\bhand-outs?\b/i, 'issue'],
  [/\bcomes? by\b/i, 'obtain'],
  [/\byour word\b/i, 'approve'],
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\bby (itself|themselves)\b/i, 'automatically'],
  [/\b(a|no) person\b|\bthe person\b(?! who)/i, 'you, the user'],
  [/\b(no|some)body\b/i, 'you, no one'],
  [/\bof yours\b/i, 'your'],
  [/\bputs? (it |them )?back\b/i, 'restore'],
  [/\bnothing (is )?held\b/i, 'no credential'],
];

/** Words of the code and its documents that no message has. */
const codeTexts: readonly (readonly [RegExp, string])[] = [[/\bbroker(s|’s|'s)?\b/i, 'Lanyard, the agent']];

const messageTexts = [...retiredTexts, ...codeTexts];

/** Names that were renamed or replaced: none comes back. */
const retiredNames: ReadonlySet<string> = new Set(
  `ComeBy comeBy Deliveries ClusterStandings HeldGrants HeldChange HeldProgram HeldIndex HeldView HeldEnd OwnTries
  AskingSources Askers Thing thingsIn whatEnds endsSoon Standing useStandings trayStanding InForce ProgramStanding ClientStanding
  ConfigInForce handOut HandOutDeps PersonCheck PersonGate createClusterEyes PluginLook ProgramLooks VaultFileLook AtPath
  aloneUnder bornHere terminalOf putThings canParse`.split(/\s+/),
);

/** One line for each retired word in a file, `path:line: …`. Which texts count follows from its ending. */
export function wordFaults(path: string, text: string): string[] {
  if (/\.tsx?$/.test(path)) {
    return sourceFaults(path, text);
  }
  return proseOf(path, text).flatMap(({ prose, line }) =>
    textFaults(prose, path.endsWith('.rs') ? messageTexts : retiredTexts).map(
      (what) => `${path}:${line}: ${what}`,
    ),
  );
}

function sourceFaults(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kindOf(path));
  const faults: string[] = [];
  const fault = (node: ts.Node, what: string) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    faults.push(`${path}:${line + 1}: ${what}`);
  };
  const visit = (node: ts.Node) => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const name = node.text.replace('#', '');
      if (retiredNames.has(name)) {
        fault(node, `the name ${name} was retired`);
      }
    }
    for (const what of textFaults(shownText(node) ?? '', messageTexts)) {
      fault(node, what);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

function textFaults(text: string, retired = retiredTexts): string[] {
  return retired.flatMap(([word, instead]) => {
    const found = word.exec(text);
    return found ? [`“${found[0]}” was retired: ${instead}`] : [];
  });
}

interface Prose {
  prose: string;
  line: number;
}

/** What users read in a file that is no TypeScript: a document without its code, else string literals. */
function proseOf(path: string, text: string): Prose[] {
  if (path.endsWith('.md')) {
    return blanked(text, /^```[\s\S]*?^```|`[^`\n]*`/gm)
      .split('\n')
      .map((prose, index) => ({ prose, line: index + 1 }));
  }
  // A comment comes first, or a string: whichever begins earlier hides the other. Tests end a Rust file.
  const source = path.endsWith('.rs') ? text.replace(/^#\[cfg\(test\)\]\nmod \w+ \{[\s\S]*/m, '') : text;
  return [...source.matchAll(/\/\/.*|'"'|"((?:[^"\\]|\\[\s\S])*)"/g)].flatMap(({ 1: literal, index }) =>
    literal !== undefined && isWords(literal)
      ? [{ prose: literal.replace(/\\\n\s*/g, ''), line: source.slice(0, index).split('\n').length }]
      : [],
  );
}

/** Lines stay lines, so that they can be counted. */
function blanked(text: string, what: RegExp): string {
  return text.replace(what, (found) => found.replace(/[^\n]/g, ' '));
}

/** A text of more than one word, as users read it; null: anything else. */
function shownText(node: ts.Node): string | null {
  const isText = ts.isStringLiteralLike(node) || ts.isJsxText(node) || ts.isTemplateLiteralToken(node);
  return isText && isWords(node.text) ? node.text : null;
}

function isWords(text: string): boolean {
  return /\S\s+\S/.test(text);
}

function kindOf(path: string): ts.ScriptKind {
  return path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
}
