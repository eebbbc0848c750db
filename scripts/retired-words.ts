import ts from 'typescript';

/** What docs/GLOSSARY.md replaced, in texts that users read, and the term that stands there now. */
const retiredTexts: readonly (readonly [RegExp, string])[] = [
  [/\bin(to)? force\b/i, 'active, approve'],
  [/\bhand(s|ed|ing)? (it |them )?out\b/i, 'issue'],
  [/\bcomes? by\b/i, 'obtain'],
  [/\byour word\b/i, 'approve'],
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\bby (itself|themselves)\b/i, 'automatically'],
  [/\ba person\b/i, 'you'],
  [/\b(no|some)body\b/i, 'you, no one'],
  [/\bof yours\b/i, 'your'],
  [/\bputs? (it |them )?back\b/i, 'restore'],
  [/\bnothing (is )?held\b/i, 'no credential'],
];

/** Names that were renamed: none comes back. */
const retiredNames: ReadonlySet<string> = new Set(
  `ComeBy comeBy Deliveries ClusterStandings HeldGrants HeldChange HeldProgram HeldIndex HeldView HeldEnd OwnTries
  AskingSources Askers Thing thingsIn whatEnds endsSoon Standing useStandings trayStanding InForce ProgramStanding ClientStanding
  ConfigInForce handOut HandOutDeps PersonCheck PersonGate createClusterEyes PluginLook ProgramLooks VaultFileLook AtPath
  aloneUnder bornHere terminalOf putThings`.split(/\s+/),
);

/** One line for each retired word in a source file, `path:line: …`. */
export function wordFaults(path: string, text: string): string[] {
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
    const shown = shownText(node);
    for (const [word, instead] of shown === null ? [] : retiredTexts) {
      const found = word.exec(shown ?? '');
      if (found) {
        fault(node, `“${found[0]}” was retired: ${instead}`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

/** A text of more than one word, as users read it; null: anything else. */
function shownText(node: ts.Node): string | null {
  const isText = ts.isStringLiteralLike(node) || ts.isJsxText(node) || ts.isTemplateLiteralToken(node);
  return isText && /\S\s+\S/.test(node.text) ? node.text : null;
}

function kindOf(path: string): ts.ScriptKind {
  return path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
}
