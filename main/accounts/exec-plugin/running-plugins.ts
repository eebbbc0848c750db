import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { ProgramRunner } from '../../ports/program-runner.ts';

type Process = { pid: number; startTime: string };

/** The plugins of one account that run now, to know who descends from them. */
export class RunningPlugins {
  readonly #running = new Set<{ cluster: string | null; runner: ProgramRunner }>();

  /** Until what is returned is called. */
  add(cluster: string | null, runner: ProgramRunner): () => void {
    const entry = { cluster, runner };
    this.#running.add(entry);
    return () => void this.#running.delete(entry);
  }

  /**
   * A plugin that asks for the very credential which it is to give would wait for itself. Whether a caller descends
   * from it is for the system to say, not for the caller.
   */
  loop(name: string, cluster: string | null, ancestors: () => readonly Process[]): Refusal | null {
    const same = [...this.#running].filter((each) => each.cluster === cluster);
    if (same.length === 0) {
      return null;
    }
    const above = ancestors();
    const isAbove = ({ runner: { process } }: { runner: ProgramRunner }) =>
      process !== null &&
      above.some((each) => each.pid === process.pid && each.startTime === process.startTime);
    return same.some(isAbove)
      ? refuse(
          'notPermitted',
          'execPlugin.loop',
          `the plugin of ${name} asks for the credential that it is to give: it runs kubectl, or another client, with ${name} itself`,
          'give the plugin its own kubeconfig, or remove that call from it',
        )
      : null;
  }
}
