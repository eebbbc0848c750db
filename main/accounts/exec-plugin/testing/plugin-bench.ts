import { Secret } from '../../../base/secret.ts';
import { type ExecPluginConfig, execPluginAccount } from '../../../contract/config/accounts/exec-plugin.ts';
import type { LoadedCluster } from '../../../domain/loaded-config.ts';
import { clusterTarget } from '../../../domain/target/cluster-target.ts';
import { clusterName } from '../../../domain/target/target.ts';
import { KeptEvents } from '../../../grants/testing/silent-deps.ts';
import type { Attendant, CredentialRequest } from '../../../ports/account.ts';
import type { Caller } from '../../../ports/caller.ts';
import type { PluginPrograms } from '../../../ports/plugin-programs.ts';
import type { ProgramRunner, RunOrder, RunOutcome, RunWatch } from '../../../ports/program-runner.ts';
import { PluginMemory } from '../../plugins/memory.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { FakeVault } from '../../testing/fake-vault.ts';
import { createExecPluginAccount } from '../exec-plugin-account.ts';

/** A run that a test ends. */
export class ScriptedRun {
  readonly order: RunOrder;
  readonly watch: RunWatch;
  readonly #resolve: (outcome: RunOutcome) => void;
  ended: RunOutcome | null = null;

  constructor(order: RunOrder, watch: RunWatch, resolve: (outcome: RunOutcome) => void) {
    this.order = order;
    this.watch = watch;
    this.#resolve = resolve;
    const lose = () => this.end({ how: 'lost' });
    watch.signal.addEventListener('abort', lose, { once: true });
    if (watch.signal.aborted) {
      lose();
    }
  }

  end(outcome: RunOutcome): void {
    this.ended ??= outcome;
    this.#resolve(outcome);
  }

  answer(status: object, apiVersion = 'client.authentication.k8s.io/v1'): void {
    const text = JSON.stringify({ apiVersion, kind: 'ExecCredential', status });
    this.end({ how: 'exited', code: 0, stdout: new Secret(text) });
  }
}

/** A runner whose runs a test sees and ends. */
export class ScriptedRunner implements ProgramRunner {
  readonly runs: ScriptedRun[] = [];
  process: ProgramRunner['process'];

  constructor(process: ProgramRunner['process'] = null) {
    this.process = process;
  }

  run(order: RunOrder, watch: RunWatch): Promise<RunOutcome> {
    return new Promise((resolve) => this.runs.push(new ScriptedRun(order, watch, resolve)));
  }

  get last(): ScriptedRun {
    const run = this.runs.at(-1);
    if (!run) {
      throw new Error('nothing runs');
    }
    return run;
  }
}

export const caller: Caller = {
  uid: 1000,
  pid: 4711,
  startTime: '100',
  executable: '/usr/bin/kubectl',
  executableId: '1:2',
  session: { leaderPid: 400, startTime: '40' },
  pidNamespace: null,
  origin: 'local',
  hasTerminal: true,
  sure: true,
};

export function clusterNamed(name: string, server = `https://${name}.example.com:6443`): LoadedCluster {
  return {
    name,
    config: {
      server,
      account: 'eks',
      insecureSkipTlsVerify: false,
      withoutInfo: 'refuse',
      approval: 'never',
      execCredential: 'ask',
    },
    certificateAuthorityPem: null,
  };
}

/** The account `eks` with the plugin `aws`; the test controls everything around it. */
export function pluginBench(config: Partial<ExecPluginConfig> = {}) {
  const clock = new FakeClock(Date.parse('2026-03-01T00:00:00Z'));
  // No limit runs out unless a test makes it.
  clock.gate = new Promise(() => undefined);
  const vault = new FakeVault();
  const events = new KeptEvents();
  const memory = new PluginMemory();
  const broker = new ScriptedRunner({ pid: 900, startTime: '90' });
  const found: { next: Awaited<ReturnType<PluginPrograms['find']>> } = {
    next: { ok: true, path: '/usr/bin/aws', target: '/usr/bin/aws', sha256: null },
  };
  const account = createExecPluginAccount({
    account: {
      name: 'eks',
      config: {
        execPlugin: execPluginAccount.parse({
          apiVersion: 'client.authentication.k8s.io/v1',
          command: 'aws',
          interactiveMode: 'IfAvailable',
          environment: [],
          ...config,
        }),
      },
      certificateAuthorityPem: null,
    },
    vault,
    clock,
    recorder: events,
    programs: {
      find: async () => found.next,
      check: async () => {
        throw new Error('not asked');
      },
      openFolders: async () => [],
    },
    memory,
    runProgram: () => broker,
    environment: {
      HOME: '/home/alice',
      LANG: 'de_DE.UTF-8',
      XDG_CONFIG_HOME: '/home/alice/.config',
      DISPLAY: ':0',
      LD_PRELOAD: '/evil.so',
      AWS_PROFILE: 'broker',
    },
  });
  const asking = (
    fields: Partial<CredentialRequest> & { variables?: Record<string, string> } = {},
  ): CredentialRequest => ({
    target: clusterTarget(clusterNamed('prod')),
    caller,
    client: 'client-1',
    ancestors: () => [],
    terminal: { environment: async () => fields.variables ?? {} },
    ...fields,
  });
  return {
    account,
    clock,
    vault,
    events,
    memory,
    broker,
    found,
    asking,
    async shaped(fields?: Parameters<typeof asking>[0]) {
      const served = await account.shapedBy?.(asking(fields));
      if (!served?.ok) {
        throw new Error(`not served: ${served?.message}`);
      }
      return served.account;
    },
  };
}

/** One who waits, and what they saw. */
export function attendant(fields: Partial<Attendant> = {}) {
  const gone = new AbortController();
  const seen: string[] = [];
  const runner = new ScriptedRunner({ pid: 910, startTime: '91' });
  const who: Attendant = {
    client: 'client-1',
    target: clusterName('prod'),
    runner,
    interactive: false,
    print: (text) => seen.push(text),
    signal: gone.signal,
    ...fields,
  };
  return { who, seen, runner, gone };
}
