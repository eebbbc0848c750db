import { z } from 'zod';
import type { Secret } from '../../base/secret.ts';
import type { TokenSelect } from '../../contract/config/accounts/pkcs11-uri.ts';
import { readLines } from '../../platform/programs/read-lines.ts';
import { type PipedChild, spawnPiped } from '../../platform/programs/spawn-piped.ts';
import type { Clock } from '../../ports/clock.ts';
import { slotView } from './slot-view.ts';

/** What lanyard-keys is asked to do; see native-helper/keys/src/order.rs. */
export type KeysOrder =
  | { do: 'load'; module: string; sha256: string }
  | { do: 'list' }
  | {
      do: 'open';
      select: TokenSelect;
      certificate: string | null;
      pin: Secret | null;
      pad: boolean;
      /** The PIN wasn’t typed now: it isn’t given where the token says that a wrong one was. */
      kept: boolean;
    }
  | { do: 'sign'; scheme: number; message: string };

const tries = z.object({ low: z.boolean(), final: z.boolean(), locked: z.boolean() });

const failed = z.object({
  tell: z.literal('failed'),
  id: z.number(),
  code: z.string(),
  /** For the user. It has words of the token’s and the module’s: untrusted. */
  text: z.string(),
  /** The token’s label. */
  token: z.string().nullable(),
  /** Its serial number. */
  serial: z.string().nullable(),
  /** What the token says of wrong PINs. */
  tries: tries.nullable(),
});

const answers = {
  load: z.object({
    tell: z.literal('loaded'),
    id: z.number(),
    library: z.object({ manufacturer: z.string(), description: z.string(), version: z.string() }),
  }),
  list: z.object({ tell: z.literal('tokens'), id: z.number(), slots: z.array(slotView) }),
  open: z.object({
    tell: z.literal('opened'),
    id: z.number(),
    serial: z.string(),
    tokenLabel: z.string(),
    chain: z.string(),
    schemes: z.array(z.int()),
  }),
  sign: z.object({ tell: z.literal('signed'), id: z.number(), signature: z.base64() }),
} as const;

/** Made once: a schema takes longer to make than to parse with. */
const readers = {
  load: z.union([answers.load, failed]),
  list: z.union([answers.list, failed]),
  open: z.union([answers.open, failed]),
  sign: z.union([answers.sign, failed]),
} as const;

type Do = KeysOrder['do'];
export type KeysFailure = z.infer<typeof failed>;
export type LibraryView = z.infer<(typeof answers)['load']>['library'];
/** It ended before it answered. `late`: it was ended, since it didn’t answer in time. */
export interface KeysEnded {
  tell: 'ended';
  how: 'crashed' | 'late';
}
export type KeysAnswer<Kind extends Do> = z.infer<(typeof answers)[Kind]> | KeysFailure | KeysEnded;

export interface KeysProcessDeps {
  /** The file of lanyard-keys; absolute. */
  program: string;
  /** What the module gets. */
  environment: Readonly<Record<string, string>>;
  clock: Pick<Clock, 'after'>;
  /** The opened token was taken out. */
  onRemoved(): void;
}

/** How long a module may take to load. */
export const loadMilliseconds = 20_000;
/** Once its stdin has ended it may take so long to end by itself, in milliseconds. */
const partingMilliseconds = 2_000;

/** One run of lanyard-keys, which has loaded one module. It ends when its stdin does, as when the broker is killed. */
export class KeysProcess {
  readonly #child: PipedChild;
  readonly #deps: KeysProcessDeps;
  readonly #waiting = new Map<number, (told: unknown) => void>();
  #last = 0;
  #isOver = false;

  private constructor(child: PipedChild, deps: KeysProcessDeps) {
    this.#child = child;
    this.#deps = deps;
    readLines(child.stdout, (line) => this.#take(line));
    child.once('close', () => this.#end());
    // What a module has forked holds the pipe: its end isn’t waited for.
    child.once('exit', () => deps.clock.after(partingMilliseconds, () => this.#end()));
    if (child.exitCode !== null || child.signalCode !== null) {
      this.#end();
    }
  }

  /** Throws the system’s error where it can’t be started. */
  static async start(deps: KeysProcessDeps): Promise<KeysProcess> {
    return new KeysProcess(await spawnPiped(deps.program, [], deps.environment), deps);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** It is ended where it takes longer than `milliseconds`, or answers something else. */
  async order<Kind extends Do>(
    order: KeysOrder & { do: Kind },
    milliseconds: number,
  ): Promise<KeysAnswer<Kind>> {
    if (this.#isOver) {
      return { tell: 'ended', how: 'crashed' };
    }
    this.#last += 1;
    const id = this.#last;
    let isLate = false;
    const limit = this.#deps.clock.after(milliseconds, () => {
      isLate = true;
      this.kill();
      this.#waiting.get(id)?.(null);
    });
    const told = await new Promise<unknown>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#child.stdin.write(`${JSON.stringify({ ...order, id, ...revealed(order) })}\n`);
    });
    limit.dispose();
    this.#waiting.delete(id);
    const read = readers[order.do].safeParse(told);
    if (read.success) {
      return read.data as KeysAnswer<Kind>;
    }
    this.kill();
    return { tell: 'ended', how: isLate ? 'late' : 'crashed' };
  }

  /** Lets it log out of the token first. */
  end(): void {
    if (this.#isOver) {
      return;
    }
    this.#child.stdin.end();
    const limit = this.#deps.clock.after(partingMilliseconds, () => this.kill());
    this.#child.once('close', () => limit.dispose());
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #take(line: string): void {
    const told = parsed(line);
    const { id, tell } = told;
    if (tell === 'removed') {
      this.#deps.onRemoved();
    } else if (typeof id === 'number') {
      this.#waiting.get(id)?.(told);
      this.#waiting.delete(id);
    }
  }

  #end(): void {
    if (this.#isOver) {
      return;
    }
    this.#isOver = true;
    for (const answer of this.#waiting.values()) {
      answer(null);
    }
    this.#waiting.clear();
    this.#child.stdout.destroy();
  }
}

/** The PIN leaves for the token here. */
function revealed(order: KeysOrder): object {
  return order.do === 'open' ? { pin: order.pin?.reveal() ?? null } : {};
}

function parsed(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
