import type { StartCommands } from '../main/install.ts';
import { runAgent } from '../main/run-agent.ts';
import { runDoctor } from '../main/run-doctor.ts';
import type { BuiltFiles } from '../main/start-broker.ts';
import type { Start } from './arguments.ts';

export interface HeadlessOptions {
  start: Extract<Start, { kind: 'headless' }>;
  files: BuiltFiles;
  commands: StartCommands;
  env: NodeJS.ProcessEnv;
}

/** `lanyard agent` and `lanyard doctor` of an installed app: no window, no tray, nothing of Electron but its Node. */
export async function runHeadless({ start, files, commands, env }: HeadlessOptions): Promise<never> {
  const args = [...start.args];
  return start.program === 'doctor' ? runDoctor({ args, env }) : runAgent({ files, commands, args, env });
}
