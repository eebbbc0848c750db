/** `line`: without its end. `fault`: nothing more is to be read. */
export type ReadLine = { ok: true; line: string } | { ok: false; fault: string };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const newline = 0x0a;

/** Cuts what a program writes into lines, and holds at most one of `most` bytes. */
export class AnswerLines {
  readonly #most: number;
  #held: Buffer[] = [];
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The lines that are complete now. After a fault it must not be used again. */
  *push(bytes: Buffer): Generator<ReadLine> {
    let rest = bytes;
    for (let end = rest.indexOf(newline); end >= 0; end = rest.indexOf(newline)) {
      if (!this.#hold(rest.subarray(0, end))) {
        yield this.#tooLong();
        return;
      }
      const line = Buffer.concat(this.#held);
      this.#held = [];
      this.#size = 0;
      rest = rest.subarray(end + 1);
      yield decoded(line);
    }
    if (!this.#hold(rest)) {
      yield this.#tooLong();
    }
  }

  #hold(bytes: Buffer): boolean {
    this.#size += bytes.length;
    if (this.#size > this.#most) {
      this.#held = [];
      return false;
    }
    // A copy: a piece would hold the whole block that was read.
    this.#held.push(Buffer.from(bytes));
    return true;
  }

  #tooLong(): ReadLine {
    return { ok: false, fault: `it wrote a line of more than ${this.#most / 1024} KiB` };
  }
}

function decoded(line: Buffer): ReadLine {
  try {
    return { ok: true, line: utf8.decode(line) };
  } catch {
    return { ok: false, fault: 'it wrote a line that isn’t UTF-8' };
  }
}
