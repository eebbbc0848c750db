import { delimiter, resolve } from 'node:path';
import { aSlot } from '../../../accounts/pkcs11/testing/a-slot.ts';
import { FakeVault } from '../../../accounts/testing/fake-vault.ts';
import { Secret } from '../../../base/secret.ts';
import type { AwsProfile } from '../../../domain/aws/profile.ts';
import type { ProgramFacts } from '../../../domain/program/program.ts';
import { someProgram } from '../../../domain/testing/some-program.ts';
import { withoutStyle } from '../../../domain/text/style.ts';
import type { ConfigEdit } from '../../../ports/config-store.ts';
import { type AccountCommandDeps, accountAddCommand } from '../accounts/account-commands.ts';
import { commandCall } from './command-call.ts';
import { stated } from './stated.ts';

/** The caller’s search path, as an account gets it. */
export const searchPath = [resolve('/opt/bin'), resolve('/usr/bin')].join(delimiter);

interface Given {
  /** What the command or module leads to. */
  facts?: ProgramFacts;
  profile?: AwsProfile;
  slots?: object[];
  /** What a module answers besides or instead. */
  list?: object;
  vault?: FakeVault;
  canPrompt?: boolean;
  answer?: string;
}

/** `lanyard account add` of a user in /home/me/src, whose config.yaml has no accounts. */
export function accountAddBench(given: Given = {}) {
  const edits: ConfigEdit[] = [];
  const [approved, looked, loaded]: [unknown[], unknown[], unknown[]] = [[], [], []];
  let shown = '';
  const command = accountAddCommand({
    config: {
      file: '/config.yaml',
      current: () => ({ accounts: new Map() }) as never,
      edit: async (each) => void edits.push(...(each as readonly ConfigEdit[])),
      stated,
    },
    bindings: {
      approve: async ({ programs }) => void approved.push(programs),
      changesTo: () => [],
      forget: async () => undefined,
      forgetAccount: async () => undefined,
    },
    vault: given.vault ?? new FakeVault(),
    recorder: { record: () => undefined },
    status: undefined as never,
    look: async (plugin) => {
      looked.push(plugin);
      return given.facts ?? someProgram('/opt/bin/aws');
    },
    awsProfile: async (...asked) => {
      looked.push(asked);
      return { ok: true, found: given.profile ?? { kind: 'missing' }, looked: 'the files' };
    },
    tokens: {
      environment: {},
      list: async (order) => {
        loaded.push([order.module, order.sha256]);
        const library = { manufacturer: 'Maker', description: '', version: '1' };
        return { ok: true, library, slots: given.slots ?? [aSlot()], ...given.list } as never;
      },
      clock: { now: () => 0 },
      platform: 'linux',
    },
    onRemoved: () => undefined,
  } satisfies AccountCommandDeps);
  const run = (...args: string[]) => {
    const call = commandCall(args);
    const terminal = {
      ...call.terminal,
      canPrompt: given.canPrompt ?? true,
      print: (text: string) => {
        shown += text;
      },
      ask: async (question: string) => {
        shown += question;
        return new Secret(given.answer ?? 'y');
      },
      environment: async () => ({
        PATH: [resolve('/opt/bin'), '.', 'relative', resolve('/usr/bin')].join(delimiter),
      }),
    };
    return command({ ...call, cwd: '/home/me/src', terminal });
  };
  /** What each edit writes. */
  const written = () => edits.map((edit) => (edit.kind === 'set' ? edit.value : edit));
  return { run, edits, written, approved, looked, loaded, shown: () => withoutStyle(shown) };
}
