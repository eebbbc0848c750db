/** What the app was started for. */
export type Start =
  /** With a window, unless the system started it as the person logged in. */
  | { kind: 'desktop'; hidden: boolean; route: string | null }
  /** `lanyard agent` and `lanyard doctor` of an installed app: without windows, and without a display. */
  | { kind: 'headless'; program: 'agent' | 'doctor'; args: readonly string[] };

/** `words`: those after the program's own. Chromium's switches, which it takes for itself, are passed over. */
export function readArguments(words: readonly string[]): Start {
  const [first, ...rest] = words.filter((word) => !/^--(ozone-platform|disable-gpu|no-sandbox)\b/.test(word));
  if (first === 'agent' || first === 'doctor') {
    return { kind: 'headless', program: first, args: rest };
  }
  const route = words.find((word) => word.startsWith('--show='))?.slice('--show='.length) ?? null;
  return { kind: 'desktop', hidden: words.includes('--hidden'), route };
}
