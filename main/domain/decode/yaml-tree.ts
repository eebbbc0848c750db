import { Composer, type Document, Parser } from 'yaml';
import type { Tree, Unreadable } from './tree.ts';
import { lineOf, NoJson, YamlReading } from './yaml-reading.ts';

/** Which texts are parsed: the parser's time grows with the square of `marks`, and no other caller is served meanwhile. */
export interface YamlLimits {
  /** What is larger, in the message. */
  what: string;
  characters: number;
  /** Characters that YAML gives a meaning. */
  marks: number;
  lines: number;
}

/** As go-yaml's reader: C0 but tab and line ends, DEL, C1 but NEL, halves of pairs; and U+FFFD: bytes that are no text. */
const noYaml = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffc\u{10000}-\u{10ffff}]/u;

/** Those that YAML 1.2 has no more. */
const lineEnds = /[\x85\u2028\u2029]/g;

/**
 * The tree of a YAML text's first document, as sigs.k8s.io/yaml makes JSON of it: later members of a name win.
 * `repeated`: what its strict form says of them, in its words.
 */
export function yamlTree(
  text: string,
  limits: YamlLimits,
): { ok: true; tree: Tree; repeated: string[] } | Unreadable {
  if (!isSmall(text, limits)) {
    return unreadable(`it is too large or too intricate for ${limits.what}`);
  }
  if (noYaml.test(text)) {
    return unreadable('control characters are not allowed');
  }
  try {
    const options = { version: '1.1', schema: 'failsafe', uniqueKeys: false, logLevel: 'error' } as const;
    const { value: document } = new Composer(options)
      .compose(new Parser().parse(text.replaceAll(lineEnds, '\n')))
      .next();
    if (!document) {
      return { ok: true, tree: { kind: 'null' }, repeated: [] };
    }
    const [error] = document.errors;
    if (error) {
      return unreadable(`line ${lineOf(text, error.pos[0])}: it can’t be parsed`);
    }
    if (hasOtherDirectives(document)) {
      return unreadable('found incompatible YAML document');
    }
    const reading = new YamlReading(document, text);
    return { ok: true, tree: reading.tree(document.contents), repeated: reading.repeated };
  } catch (error) {
    // The library's own errors quote the text.
    return unreadable(error instanceof NoJson ? error.message : 'it can’t be parsed');
  }
}

/** go-yaml knows `%YAML 1.1` and `%TAG` alone, and ends at any other. */
function hasOtherDirectives({ directives, warnings }: Document.Parsed): boolean {
  const { explicit = false, version } = directives?.yaml ?? {};
  return (explicit && version !== '1.1') || warnings.some(({ code }) => code === 'BAD_DIRECTIVE');
}

function isSmall(text: string, limits: YamlLimits): boolean {
  const count = (what: RegExp) => text.match(what)?.length ?? 0;
  return (
    text.length <= limits.characters &&
    // Not a dash within a word: PEM and base64url have them.
    count(/[?:,[\]{}&*!%@`|>'"\\]|(?<!\S)-(?!\S)/g) <= limits.marks &&
    count(/\n/g) <= limits.lines
  );
}

function unreadable(message: string): Unreadable {
  return { ok: false, message: `yaml: ${message}` };
}
