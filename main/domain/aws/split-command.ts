/**
 * The words of a command line, as the AWS tools read `credential_process` (Python’s `shlex.split`): quotes and backslashes as
 * in a POSIX shell, and nothing else of a shell’s. Null: a quote is not closed.
 */
export function splitCommand(line: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (/\s/.test(character)) {
      if (word !== null) {
        words.push(word);
        word = null;
      }
    } else if (character === '\\') {
      at += 1;
      if (at >= line.length) {
        return null;
      }
      word = (word ?? '') + line.charAt(at);
    } else if (character === "'" || character === '"') {
      const quoted = readQuoted(line, at + 1, character);
      if (quoted === null) {
        return null;
      }
      word = (word ?? '') + quoted.text;
      at = quoted.end;
    } else {
      word = (word ?? '') + character;
    }
  }
  return word === null ? words : [...words, word];
}

/** In double quotes a backslash escapes itself and the quote alone. `end`: where the quote is closed. */
function readQuoted(line: string, from: number, quote: string): { text: string; end: number } | null {
  let text = '';
  for (let at = from; at < line.length; at += 1) {
    const [character, next] = [line.charAt(at), line.charAt(at + 1)];
    if (character === quote) {
      return { text, end: at };
    }
    if (quote === '"' && character === '\\' && (next === '"' || next === '\\')) {
      text += next;
      at += 1;
    } else {
      text += character;
    }
  }
  return null;
}
