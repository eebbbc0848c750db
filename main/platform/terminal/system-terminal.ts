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
    available: () => isAvailable(platform, env),
    async open(session, program) {
      if (!isAvailable(platform, env)) {
        return false;
      }
      const script = platform === 'darwin' ? `${session.kubeconfig}.command` : null;
      if (script !== null) {
        await writeFile(script, macScript(session), { flag: 'wx', mode: 0o700 });
      }
      const started = {
        env: terminalEnvironment(platform, env),
        cwd: env['HOME'] ?? '/',
      };
      for (const command of terminalCommands(session, { program, script })) {
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

/** Not yet on Windows: nothing was run there that hands the kubeconfig to a terminal for certain. */
function isAvailable(platform: NodeJS.Platform, env: Environment): boolean {
  return platform !== 'win32' && hasDisplay(platform, env);
}
