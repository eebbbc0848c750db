/** With a window, unless the system or a helper started it. */
export interface DesktopStart {
  kind: 'desktop';
  hidden: boolean;
  route: string | null;
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
  const route = words.find((word) => word.startsWith('--show='))?.slice('--show='.length) ?? null;
  return { kind: 'desktop', hidden: words.includes('--hidden'), route };
}
