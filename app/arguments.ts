import { isRoute } from './windows/route.ts';

/** Opens the window at `route`, unless the system or a helper started the app (`hidden`). */
export interface DesktopStart {
  kind: 'desktop';
  hidden: boolean;
  route: string | null;
  /** Whether to lock the vault, as the system's menus for the app offer it. */
  lock: boolean;
}

/** What the app was started for. */
export type Start =
  | DesktopStart
  /** `lanyard agent` and `lanyard doctor` of an installed app: without windows or a display. */
  | { kind: 'headless'; args: string[] }
  /** To remove what the app that was uninstalled had open until it ended (app/life/uninstalled.ts). */
  | { kind: 'leave' };

/** Reads the arguments after the program. Ignores Chromium's switches before the first word. */
export function readArguments(words: readonly string[]): Start {
  const at = words.findIndex((word) => !word.startsWith('--'));
  if (words[at] === 'agent') {
    return { kind: 'headless', args: words.slice(at + 1) };
  }
  if (words[at] === 'leave') {
    return { kind: 'leave' };
  }
  const route = words.find((word) => word.startsWith('--show='))?.slice('--show='.length);
  return {
    kind: 'desktop',
    hidden: words.includes('--hidden'),
    route: route === undefined ? null : readRoute(route),
    lock: words.includes('--lock'),
  };
}

/**
 * The text if it is the address of a view in the pages (`#/clusters/prod`), else null. Any program can start the app
 * with it.
 */
export function readRoute(text: string): string | null {
  return isRoute(text) ? text : null;
}
