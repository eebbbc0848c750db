import { unlink, writeFile } from 'node:fs/promises';
import type { TerminalWindows } from '../../ports/terminal-windows.ts';
import { type Environment, hasDisplay } from '../browser/browser-commands.ts';
import { startDetached } from '../programs/start-detached.ts';
import { macScript, terminalCommands, terminalEnvironment } from './terminal-commands.ts';

/** A terminal that still runs after this was opened. */
const openingMilliseconds = 2_000;

export interface SystemTerminalDeps {
  platform: NodeJS.Platform;
  env: Environment;
}

/** The user’s terminal: the one that config.yaml names, else the system’s. */
export function createSystemTerminal({ platform, env }: SystemTerminalDeps): TerminalWindows {
  return {
    available: () => hasDisplay(platform, env),
    async open(session, program) {
      if (!hasDisplay(platform, env)) {
        return false;
      }
      const script = platform === 'darwin' ? `${session.kubeconfig}.command` : null;
      if (script !== null) {
        await writeFile(script, macScript(session), { flag: 'wx', mode: 0o700 });
      }
      const started = {
        env: terminalEnvironment(platform, env, session),
        cwd: env['HOME'] ?? env['USERPROFILE'] ?? '/',
      };
      for (const command of terminalCommands(platform, env, session, { program, script })) {
        if (await startDetached({ ...command, ...started }, openingMilliseconds).catch(() => false)) {
          return true;
        }
      }
      if (script !== null) {
        await unlink(script).catch(() => undefined);
      }
      return false;
    },
  };
}
