import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { execVersion, findKubectls, type Kubectl } from './kubectl.ts';
import { openConnections } from './open-connections.ts';
import { makePlugin, type TestPlugin } from './plugin.ts';
import type { Ended, Running, RunOptions } from './processes.ts';
import { Stage, type StageOptions, until } from './stage.ts';
import { startTerminalShell, type TerminalShell } from './terminal-shell.ts';

/** Of each plugin, so many runs give a token that the API server takes. */
const knownRuns = 300;

/** What is typed or set where the API server takes the answer, too. */
export const knownWords = ['first', 'second', 'unset'] as const;

type Ask = NonNullable<Parameters<Stage['ask']>[2]>;

/**
 * A stage with accounts that run test plugins. Each account has a plugin of its own and a cluster of its own name. The
 * API server knows what the plugin gives in run 3 of the account `eks` as the user `eks-3`, and the answer for
 * what was typed or set as `eks-first`.
 */
export interface PluginStage<Name extends string> {
  readonly stage: Stage;
  readonly kubectlUsed: Kubectl;
  /** That `lanyard kubeconfig write` wrote. */
  readonly kubeconfig: string;
  plugin(name: Name): TestPlugin;
  /** How often it has run so far. */
  runs(name: Name): number;
  /** `kubectl --context NAME get pods`, without a terminal. */
  getPods(name: Name, options?: RunOptions): Promise<Ended>;
  /** The helper, as kubectl runs it, without a terminal. */
  ask(name: Name, options?: Ask['options']): Promise<Ended>;
  /** A terminal with a shell. `$K` is kubectl, `$L` the helper at its stable place. */
  terminal(env?: Record<string, string>): TerminalShell;
  /** Starts `kubectl proxy`: one client-go that lives on. Gives a function that sends one request through it. */
  proxy(name: Name): Promise<{ running: Running; get(): Promise<number> }>;
  /** Callers that the broker serves now. */
  callers(): number;
  /** Users whose requests the API server saw (not the broker's own) since `forgetRequests`, each once, in the order in which they came. */
  users(): string[];
  dispose(): Promise<void>;
}

/** What the broker itself asks a cluster that may reject a credential. */
const asksWhoIAm = /^\/version$|\/selfsubjectreviews$/;

/** `fields`: of some accounts, over those of `TestPlugin.account`. */
export async function openPluginStage<Name extends string>(
  names: readonly Name[],
  fields: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {},
  options: StageOptions = {},
): Promise<PluginStage<Name>> {
  const plugins = new Map(names.map((name) => [name, makePlugin()]));
  const plugin = (name: Name): TestPlugin => {
    const found = plugins.get(name);
    if (!found) {
      throw new Error(`there is no plugin ${name}`);
    }
    return found;
  };
  const known = names.flatMap((name) => [
    ...Array.from({ length: knownRuns }, (_, index) => [
      plugin(name).token(index + 1),
      `${name}-${index + 1}`,
    ]),
    ...knownWords.map((word) => [plugin(name).tokenFor(word), `${name}-${word}`]),
  ]);
  const tokens = Object.fromEntries(known.map(([token, user]) => [token, { name: user ?? '', groups: [] }]));
  const terminals: TerminalShell[] = [];
  const kubectlUsed = findKubectls().newest;
  let stage: Stage | null = null;
  const dispose = async () => {
    await Promise.all(terminals.map((each) => each.dispose()));
    await stage?.dispose();
    for (const each of plugins.values()) {
      each.dispose();
    }
  };
  try {
    stage = await Stage.open({
      ...options,
      tokens: { ...options.tokens, ...tokens },
      extend: async (config, here) => {
        for (const name of names) {
          config.accounts[name] = plugin(name).account(fields[name]);
          config.clusters[name] = { ...config.clusters['prod-bot'], account: name };
        }
        await options.extend?.(config, here);
      },
    });
    const opened = stage;
    const kubeconfig = await opened.writeKubeconfig(execVersion(kubectlUsed));
    return {
      stage: opened,
      kubectlUsed,
      kubeconfig,
      plugin,
      runs: (name) => plugin(name).runs().length,
      getPods: (name, more) =>
        opened.kubectl(kubectlUsed, kubeconfig, ['--context', name, 'get', 'pods', '-o', 'name'], more),
      ask: (name, more = {}) =>
        opened.ask(name, opened.execInfo(), { args: ['--cluster', name], options: more }),
      terminal: (env = {}) => {
        const terminal = startTerminalShell({
          ...opened.home.env,
          KUBECONFIG: kubeconfig,
          K: kubectlUsed.path,
          L: opened.home.file('helper'),
          ...env,
        });
        terminals.push(terminal);
        return terminal;
      },
      proxy: (name) => startProxy(opened, kubectlUsed, kubeconfig, name),
      callers: () => openConnections(opened.home.file('socket')),
      users: () => [
        ...new Set(
          opened.api.requests
            .filter(({ path }) => !asksWhoIAm.test(path))
            .map(({ user, why }) => user ?? `nobody (${why})`),
        ),
      ],
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function startProxy(stage: Stage, kubectl: Kubectl, kubeconfig: string, context: string) {
  const running = stage.start(kubectl.path, ['--context', context, 'proxy', '--port=0'], {
    env: { KUBECONFIG: kubeconfig },
  });
  running.closeInput();
  const [, address = ''] = await running.waitForLine(/Starting to serve on (\S+)/);
  const get = async () => {
    const answer = await fetch(`http://${address}/api/v1/namespaces/default/pods`);
    await answer.arrayBuffer();
    return answer.status;
  };
  return { running, get };
}

/** The parent of a process; null where that has ended. */
export function parentOf(pid: number): number | null {
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
  const found = /^PPid:\s+(\d+)/m.exec(status)?.[1];
  return found === undefined ? null : Number(found);
}

/** The helper that runs a plugin's latest run. Waits until that has begun. */
export async function helperOf(plugin: TestPlugin, run: number): Promise<number> {
  const begun = await until(() => plugin.runs().find(({ number }) => number === run), `run ${run}`);
  const helper = parentOf(begun.pid);
  if (helper === null || !readlinkSync(`/proc/${helper}/exe`).includes('lanyard')) {
    throw new Error(`run ${run} is no helper’s child`);
  }
  return helper;
}

/** Waits until nothing is left of a plugin’s runs. */
export function nothingLeft(plugin: TestPlugin): Promise<true> {
  return until(
    () => (plugin.processes().length === 0 ? true : null),
    'the end of all that the plugin started',
  );
}
