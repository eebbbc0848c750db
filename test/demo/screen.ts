/** What a step says in its row of the table. */
export interface Row {
  what: string;
  did: string;
  /** Null where no time means anything. */
  milliseconds: number | null;
  ok: boolean;
}

interface Widths {
  what: number;
  did: number;
  milliseconds: number;
}

/** For 80 columns, and for terminals that have more. */
const narrow: Widths = { what: 31, did: 35, milliseconds: 6 };
const wide: Widths = { what: 42, did: 56, milliseconds: 6 };
const wideColumns = 113;

/** Breaks a text at spaces into lines of at most `width` characters; a longer word is cut. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    let rest = word;
    if (line !== '' && line.length + 1 + rest.length > width) {
      lines.push(line);
      line = '';
    }
    while (rest.length > width) {
      lines.push(rest.slice(0, width));
      rest = rest.slice(width);
    }
    line = line === '' ? rest : `${line} ${rest}`;
  }
  return [...lines, line];
}

/** The lines of a row: a mark, two cells that are wrapped to their widths, and one at the right. */
export function rowLines(
  { mark, what, did, right }: { mark: string; what: string; did: string; right: string },
  widths: Widths = narrow,
): string[] {
  const columns = [wrap(what, widths.what), wrap(did, widths.did)] as const;
  const count = Math.max(...columns.map((lines) => lines.length));
  return Array.from({ length: count }, (_, index) => {
    const cells = [
      (index === 0 ? mark : '').padEnd(1),
      (columns[0][index] ?? '').padEnd(widths.what),
      (columns[1][index] ?? '').padEnd(widths.did),
      (index === 0 ? right : '').padStart(widths.milliseconds),
    ];
    return cells.join('  ').trimEnd();
  });
}

/** Prints the demo: plain lines, and on a terminal colours and a line about what is going on. */
export class Screen {
  readonly #out: NodeJS.WriteStream;
  readonly #widths: Widths;
  #hasStatus = false;
  #isClosed = false;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
    this.#widths = out.isTTY && out.columns >= wideColumns ? wide : narrow;
  }

  /** Nothing is shown from now on: what goes wrong while the demo is taken down is no news. */
  close(): void {
    this.#clearStatus();
    this.#isClosed = true;
  }

  print(text = ''): void {
    if (this.#isClosed) {
      return;
    }
    this.#clearStatus();
    this.#out.write(`${text}\n`);
  }

  heading(): void {
    const titles = { mark: '', what: 'what was done', did: 'what the broker did', right: 'ms' };
    this.print(rowLines(titles, this.#widths).join('\n'));
    const { what, did, milliseconds } = this.#widths;
    this.print(`   ${[what, did, milliseconds].map((width) => '─'.repeat(width)).join('  ')}`);
  }

  row({ what, did, milliseconds, ok }: Row): void {
    const right = milliseconds === null ? '' : String(Math.round(milliseconds));
    const [first = '', ...rest] = rowLines({ mark: ok ? '✓' : '✗', what, did, right }, this.#widths);
    this.print([this.#colour(ok ? 32 : 31, first.slice(0, 1)) + first.slice(1), ...rest].join('\n'));
  }

  /** What is going on now; replaced by the next line. Nothing where no terminal is. */
  status(text: string): void {
    if (this.#out.isTTY && !this.#isClosed) {
      this.#clearStatus();
      this.#out.write(`   ${this.#colour(2, text.slice(0, 76))}`);
      this.#hasStatus = true;
    }
  }

  #clearStatus(): void {
    if (this.#hasStatus) {
      this.#out.write('\r\x1b[K');
      this.#hasStatus = false;
    }
  }

  #colour(code: number, text: string): string {
    return this.#out.isTTY && process.env['NO_COLOR'] === undefined ? `\x1b[${code}m${text}\x1b[0m` : text;
  }
}
