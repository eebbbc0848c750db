import { PassThrough } from 'node:stream';
import { PluginMemory } from '../../main/accounts/plugins/memory.ts';
import { KeptSigner } from '../../main/accounts/request-signer/kept-signer.ts';
import { FakeVault } from '../../main/accounts/testing/fake-vault.ts';
import { Secret } from '../../main/base/secret.ts';
import { requestSignerAccount } from '../../main/contract/config/accounts/request-signer.ts';
import type { HistoryEvent } from '../../main/ports/history.ts';
import type { PluginPrograms } from '../../main/ports/plugin-programs.ts';
import type { KeepOrder } from '../../main/ports/program-keeper.ts';
import type { RunOutcome } from '../../main/ports/program-runner.ts';
import type { RequestToSign } from '../../main/ports/request-signers.ts';
import { ManualClock } from './manual-clock.ts';

export const someRequest: RequestToSign = {
  cluster: 'prod',
  method: 'GET',
  path: '/api?x=1',
  host: 'api.example',
  headers: [['accept', 'application/json']],
  bodySha256: null,
};

/** One start of the program, which says what the test says. */
export class FakeProgram {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly #ended = Promise.withResolvers<RunOutcome>();
  readonly ended = this.#ended.promise;
  readonly requests: Record<string, unknown>[] = [];
  killed = false;
  inputEnded = false;
  say: (stderr: string) => void = () => undefined;

  constructor() {
    let rest = '';
    this.stdin.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      this.requests.push(...lines.map((line) => JSON.parse(line) as Record<string, unknown>));
    });
    this.stdin.on('end', () => {
      this.inputEnded = true;
    });
  }

  kill(): void {
    this.killed = true;
    this.#ended.resolve({ how: 'lost' });
  }

  write(text: string | Buffer): void {
    this.stdout.write(text);
  }

  answer(id: unknown, more: object): void {
    this.write(`${JSON.stringify({ id, ...more })}\n`);
  }

  exit(outcome: RunOutcome = { how: 'exited', code: 3, stdout: new Secret('') }): void {
    this.stdout.end();
    this.#ended.resolve(outcome);
  }
}

/** The account `corp` with a program that each start makes anew, over fakes for all else. */
export function createSignerBench(config: object = {}) {
  const clock = new ManualClock();
  const starts: FakeProgram[] = [];
  const orders: KeepOrder[] = [];
  const events: HistoryEvent[] = [];
  const memory = new PluginMemory();
  const vault = new FakeVault({ secrets: { corp: { 'env.KEY': new Secret('k1') } } });
  const state: { found: Awaited<ReturnType<PluginPrograms['find']>> } = {
    found: { ok: true, path: '/opt/sign', target: '/opt/sign', sha256: null },
  };
  const parsed = requestSignerAccount.parse({ command: 'sign', env: [{ name: 'KEY' }], ...config });
  const signer = new KeptSigner({
    account: { name: 'corp', config: { requestSigner: parsed }, certificateAuthorityPem: null },
    config: parsed,
    vault,
    programs: { find: async () => state.found },
    environment: { HOME: '/home/u', AWS_PROFILE: 'other', https_proxy: 'http://p:1' },
    keepProgram: async (order, { onStderr }) => {
      const program = new FakeProgram();
      program.say = (text) => onStderr(Buffer.from(text));
      orders.push(order);
      starts.push(program);
      return program;
    },
    clock,
    recorder: { record: (event) => events.push(event) },
    memory,
    random: () => 1,
  });
  /** All that was written has been read. */
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return {
    signer,
    clock,
    starts,
    orders,
    events,
    memory,
    vault,
    state,
    settle,
    sign: (request: Partial<RequestToSign> = {}, signal = new AbortController().signal) =>
      signer.sign({ ...someRequest, ...request }, signal),
    program(at: number): FakeProgram {
      const found = starts[at];
      if (!found) {
        throw new Error(`the program was started ${starts.length} times`);
      }
      return found;
    },
  };
}
