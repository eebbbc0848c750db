import { runHeadless as runAgentOrDoctor } from '../main/start/run-agent.ts';
import { appFiles, type Places } from './files.ts';
import { type StartCommandsDeps, startCommands } from './start-commands.ts';

export interface HeadlessOptions extends StartCommandsDeps {
  places: Places;
  /** The arguments of `lanyard agent`, or `doctor` and its own. */
  args: string[];
}

/**
 * `lanyard agent` and `lanyard doctor` of an installed app. Uses no window or tray, and only Node of Electron. Await
 * it while the entry is evaluated: Electron becomes ready only after that, so it never does. So the dock gets no
 * icon, Chromium starts no processes, and Electron sets no signal handlers.
 */
export async function runHeadless({ places, args, ...deps }: HeadlessOptions): Promise<never> {
  return runAgentOrDoctor({ files: appFiles(places), commands: startCommands(deps), args, env: deps.env });
}
