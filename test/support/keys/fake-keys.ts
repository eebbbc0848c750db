import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { KeysOrder } from '../../../main/accounts/pkcs11/keys-process.ts';

/** How an order is answered: by a line, by the end of the process, or never. `crashThen`: by its end, and from then on so. */
export type FakeAnswer = Readonly<Record<string, unknown>> | 'crash' | 'hang';

/** What was ordered, in which of the processes. */
export interface Ordered {
  pid: number;
  do: KeysOrder['do'];
  // biome-ignore lint/suspicious/noExplicitAny: each test looks at the fields that it is about.
  [field: string]: any;
}

/** A stand-in for lanyard-keys: each of its processes answers as the test says (native-helper/keys/src/order.rs). */
export class FakeKeys {
  /** What is started. */
  readonly program: string;
  readonly #folder: string;

  constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'ly-fake-keys-'));
    this.program = join(this.#folder, 'lanyard-keys');
    writeFileSync(
      this.program,
      `#!${process.execPath}\n(${serve.toString()})(${JSON.stringify(this.#folder)})\n`,
    );
    chmodSync(this.program, 0o700);
    this.answer('load', {
      tell: 'loaded',
      library: { manufacturer: 'Tests', description: 'fake', version: '1.0' },
    });
  }

  /** From now on. */
  answer(to: KeysOrder['do'], answer: FakeAnswer): void {
    writeFileSync(join(this.#folder, `${to}.json`), JSON.stringify(answer));
  }

  ordered(): readonly Ordered[] {
    const file = join(this.#folder, 'ordered');
    return existsSync(file)
      ? readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Ordered)
      : [];
  }

  of(kind: KeysOrder['do']): readonly Ordered[] {
    return this.ordered().filter((each) => each.do === kind);
  }

  /** Resolves once so many orders of that kind have come. */
  until(kind: KeysOrder['do'], count: number): Promise<unknown> {
    return vi.waitFor(() => {
      if (this.of(kind).length < count) {
        throw new Error(`${this.of(kind).length} of ${count} times: ${kind}`);
      }
    }, 20_000);
  }

  /** The process that runs tells this line, which no order asked for. */
  tell(line: object): void {
    writeFileSync(join(this.#folder, 'told'), `${JSON.stringify(line)}\n`);
    process.kill(this.ordered().at(-1)?.pid ?? 0, 'SIGUSR2');
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The program: nothing but what it is given here. */
function serve(folder: string): void {
  const fs = process.getBuiltinModule('node:fs');
  const { createInterface } = process.getBuiltinModule('node:readline');
  process.on('SIGUSR2', () => process.stdout.write(fs.readFileSync(`${folder}/told`)));
  createInterface({ input: process.stdin }).on('line', (line) => {
    const order = JSON.parse(line);
    fs.appendFileSync(`${folder}/ordered`, `${JSON.stringify({ pid: process.pid, ...order })}\n`);
    const answer = JSON.parse(fs.readFileSync(`${folder}/${order.do}.json`, 'utf8'));
    if (answer.crashThen) {
      fs.writeFileSync(`${folder}/${order.do}.json`, JSON.stringify(answer.crashThen));
    }
    if (answer === 'crash' || answer.crashThen) {
      process.kill(process.pid, 'SIGKILL');
    } else if (answer !== 'hang') {
      process.stdout.write(`${JSON.stringify({ id: order.id, ...answer })}\n`);
    }
  });
}
