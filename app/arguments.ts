import { isRoute } from './windows/route.ts';

/** With a window at `route`, unless the system or a helper started it (`hidden`). */
export interface DesktopStart {
  kind: 'desktop';
  hidden: boolean;
  route: string | null;
  /** To close the lock, as a menu of the system's own offers it. */
  lock: boolean;
}

/** What the app was started for. */
export type Start =
  | DesktopStart
  /** `lanyard agent` and `lanyard doctor` of an installed app: without windows, and without a display. */
  | { kind: 'headless'; args: string[] };

/** `words`: those after the program's own. Chromium's switches before `agent` are its own business. */
export function readArguments(words: readonly string[]): Start {
  const at = words.findIndex((word) => !word.startsWith('--'));
  if (words[at] === 'agent') {
    return { kind: 'headless', args: words.slice(at + 1) };
  }
  const route = words.find((word) => word.startsWith('--show='))?.slice('--show='.length);
  return {
    kind: 'desktop',
    hidden: words.includes('--hidden'),
    route: route === undefined ? null : readRoute(route),
    lock: words.includes('--lock'),
  };
}

/** A view's address within the pages (`#/clusters/prod`); null: it isn't one. Any program can start the app with it. */
export function readRoute(text: string): string | null {
  return isRoute(text) ? text : null;
}
