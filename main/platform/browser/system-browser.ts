import { isAbsolute } from 'node:path';
import { windowsImages } from '../../domain/program/windows-program.ts';
import type { Browser, BrowserProgram, FileOpener } from '../../ports/browser.ts';
import { findProgram, standsAt } from '../programs/find-program.ts';
import { startDetached } from '../programs/start-detached.ts';
import {
  type BrowserCommand,
  browserCommands,
  browserEnvironment,
  type Environment,
  hasDisplay,
} from './browser-commands.ts';
import { openable } from './openable.ts';

/** An opener that still runs after this has a browser for its child: it counts as opened. */
const openerMilliseconds = 2_000;

export interface SystemBrowserDeps {
  platform: NodeJS.Platform;
  env: Environment;
  openerMilliseconds?: number;
}

/** The user's browser, by the system's way of opening pages. */
export function createSystemBrowser(deps: SystemBrowserDeps): Browser & FileOpener {
  const { platform, env } = deps;
  const patience = deps.openerMilliseconds ?? openerMilliseconds;
  const show = async (address: string | null, program?: BrowserProgram) => {
    if (address === null || !hasDisplay(platform, env)) {
      return false;
    }
    for (const command of program ? [chosen(program)] : browserCommands(platform, env)) {
      // Other users of the machine can read the address in its arguments. The code is useless without the verifier, which
      // isn’t in it. But whoever knows state, nonce and challenge could send their own code, so the receiver accepts no
      // other user (accounts/oidc/callback-receiver.ts).
      const { args } = command;
      const started = {
        ...command,
        args: [...args, address],
        env: browserEnvironment(platform, env),
        cwd: '/',
      };
      if (await startDetached(started, patience).catch(() => false)) {
        return true;
      }
    }
    return false;
  };
  return {
    available: () => hasDisplay(platform, env),
    open: (url, program) => show(openable(url), program),
    finds: async ([command]) =>
      isAbsolute(command)
        ? (await standsAt(command)) === 'program'
        : (await findProgram(command, env['PATH'] ?? '', { platform, windowsNames: windowsImages })) !== null,
    openFile: (path) => show(isAbsolute(path) && path.endsWith('.html') ? path : null),
  };
}

/** A name is looked up in PATH. In another browser the user may be logged in as another: there is no fallback. */
function chosen([command, ...args]: BrowserProgram): BrowserCommand {
  return { command, args };
}
