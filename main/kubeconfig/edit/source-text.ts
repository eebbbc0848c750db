/** A text and where its lines begin: a file may be one line of megabytes, which is not to be searched each time. */
export class SourceText {
  readonly whole: string;
  readonly #starts: readonly number[];

  constructor(whole: string) {
    this.whole = whole;
    const starts = [0];
    for (let at = whole.indexOf('\n'); at !== -1; at = whole.indexOf('\n', at + 1)) {
      starts.push(at + 1);
    }
    this.#starts = starts;
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  /** The line of this number, from 0, with its break: a last break that comes or goes is a change. */
  line(index: number): string {
    return this.whole.slice(this.#starts[index], this.startOf(index + 1));
  }

  /** Where the line of this number, from 0, begins; the text's end for the one after the last. */
  startOf(index: number): number {
    return this.#starts[index] ?? this.whole.length;
  }

  /** Number of the line that `offset` is in, from 1. */
  lineAt(offset: number): number {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low + 1;
  }

  lineStart(offset: number): number {
    return this.#starts[this.lineAt(offset) - 1] ?? 0;
  }

  /** Where the next line begins; 0 where there is none. */
  nextLine(offset: number): number {
    return this.#starts[this.lineAt(offset)] ?? 0;
  }

  /** Where the line ends, before its line break. */
  lineEnd(offset: number): number {
    const next = this.nextLine(offset);
    if (next === 0) {
      return this.whole.length;
    }
    return next - 2 >= offset && this.whole[next - 2] === '\r' ? next - 2 : next - 1;
  }
}
