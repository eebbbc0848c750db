import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';
import { withoutStyle } from '../../domain/text/style.ts';
import { visibleText } from '../../domain/text/visible-text.ts';

/** More than this of one run is not shown to other callers. */
const shownBytes = 64 * 1024;

/** What is remembered of it. */
const remembered = { lines: 20, characters: 300 };

/**
 * What a plugin wrote to stderr in one run: complete lines as they come, for those who wait elsewhere, and its last
 * lines for later. Untrusted text: terminal sequences are removed.
 */
export class Transcript {
  readonly #decoder = new StringDecoder('utf8');
  readonly #tell: (text: string) => void;
  #told = '';
  #line = '';
  #last: string[] = [];

  /** `tell`: called with complete lines, `\n` at their end. */
  constructor(tell: (text: string) => void) {
    this.#tell = tell;
  }

  add(bytes: Buffer): void {
    const pieces = (this.#line + this.#decoder.write(bytes)).split('\n');
    this.#line = (pieces.pop() ?? '').slice(0, shownBytes);
    this.#lines(pieces);
  }

  /** The run has ended: the rest is a line too. `isPrompt`: one that was answered, which others should not see. */
  end({ isPrompt }: { isPrompt: boolean }): void {
    const rest = this.#line + this.#decoder.end();
    this.#line = '';
    if (rest !== '') {
      this.#lines([rest], !isPrompt);
    }
  }

  /** All that was told so far. */
  get told(): string {
    return this.#told;
  }

  get lastLines(): readonly string[] {
    return this.#last;
  }

  #lines(raw: readonly string[], isTold = true): void {
    const lines = raw.map((line) => clean(line));
    const kept = lines.filter((line) => line.trim() !== '');
    this.#last = [...this.#last, ...kept.map((line) => line.slice(0, remembered.characters))].slice(
      -remembered.lines,
    );
    const text = lines.map((line) => `${line}\n`).join('');
    if (isTold && text !== '' && this.#told.length + text.length <= shownBytes) {
      this.#told += text;
      this.#tell(text);
    }
  }
}

/** A line that was written over with a carriage return is shown as it stood last. */
function clean(line: string): string {
  const plain = withoutStyle(stripVTControlCharacters(line)).replace(/\r$/, '').replaceAll('\t', '  ');
  return visibleText(plain.slice(plain.lastIndexOf('\r') + 1), 2000);
}
