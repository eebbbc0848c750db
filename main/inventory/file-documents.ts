import { parseJson } from '../base/parse-json.ts';
import { parseYamlText } from '../config/yaml-text.ts';

/** A document of a file: its value, or what is wrong with it. */
export type FileDocument = { ok: true; value: unknown } | { ok: false; line: number; message: string };

/**
 * The documents of a text of JSON or YAML, one by one, as kubectl splits them: a line that begins with `---` ends a
 * document wherever it stands (YAML 1.2, 9.1.2).
 */
export function* fileDocuments(text: string): Generator<FileDocument> {
  const value = jsonObject(text);
  if (value !== undefined) {
    yield { ok: true, value };
    return;
  }
  for (const { part, line } of parts(text)) {
    yield document(part, line);
  }
}

/**
 * Who can write one file of a folder must not be able to stop the broker, which waits while a document is parsed: for
 * a quarter of a second with this many. A refusal needs no further thread, with its memory and its files; a list that
 * is longer can be written as JSON, as several documents or in the layout that `kubectl get -o yaml` has where no value
 * needs quotes.
 */
const mostParts = 50_000;
/** The same of its characters, which take a tenth of a microsecond each in quotes. */
const mostCharacters = 2 * 1024 * 1024;

/** JSON.parse takes a tenth of the time of a YAML parser. Undefined: it is no JSON object. */
function jsonObject(text: string): unknown {
  return /^\s*\{/.test(text) ? parseJson(text) : undefined;
}

function* parts(text: string): Generator<{ part: string; line: number }> {
  let [start, line] = [0, 1];
  for (const { 0: marker, index } of text.matchAll(/^---[ \t]*(?:\r?\n|$)|^---(?=[ \t])/gm)) {
    const part = text.slice(start, index);
    yield { part, line };
    line += lineEnds(part) + lineEnds(marker);
    start = index + marker.length;
  }
  yield { part: text.slice(start), line };
}

/** Counted without a text for each line: a file may have millions. */
function lineEnds(text: string): number {
  let ends = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    ends++;
  }
  return ends;
}

function document(part: string, firstLine: number): FileDocument {
  // Directives stand before the `---` of their document; none that is known changes what is read here.
  const isBlank = !/^[^\S\n]*[^\s%#]/m.test(part);
  if (isBlank) {
    return { ok: true, value: null };
  }
  const json = jsonObject(part);
  if (json !== undefined) {
    return { ok: true, value: json };
  }
  const parsed = parseYamlText(part, { parts: mostParts, characters: mostCharacters });
  const [fault] = parsed.faults;
  if (fault) {
    return { ok: false, line: firstLine - 1 + fault.place.line, message: fault.message };
  }
  try {
    return { ok: true, value: parsed.value() };
  } catch {
    return { ok: false, line: firstLine, message: 'its aliases can’t be resolved' };
  }
}
