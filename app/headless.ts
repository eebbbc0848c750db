import { runHeadless as runAgentOrDoctor } from '../main/start/run-agent.ts';
import { appFiles, type Places } from './files.ts';
import { type StartCommandsDeps, startCommands } from './start-commands.ts';

export interface HeadlessOptions extends StartCommandsDeps {
  places: Places;
  /** Of `lanyard agent`, or `doctor` with its own. */
  args: string[];
}

/**
 * `lanyard agent` and `lanyard doctor` of an installed app: no window, no tray, nothing of Electron but its Node. Has to
 * be awaited while the entry is evaluated: Electron becomes ready after that, and so never does. No icon in the dock, no
 * process of Chromium's, no handler of Electron's for signals.
 */
export async function runHeadless({ places, args, ...deps }: HeadlessOptions): Promise<never> {
  return runAgentOrDoctor({ files: appFiles(places), commands: startCommands(deps), args, env: deps.env });
}
