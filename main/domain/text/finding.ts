/** How much a finding matters; in the order of its weight. `problem`: something does not work. */
export const findingLevels = ['problem', 'warning', 'note', 'ok'] as const;
export type FindingLevel = (typeof findingLevels)[number];

/** What one look found, about what was looked at. Holds no secret; foreign text in it is fit to be shown. */
export interface Observation {
  /** Stable, dotted, for programs: `account.discovery`. */
  check: string;
  level: FindingLevel;
  /** One sentence, lower case where it can be, without a full stop. */
  message: string;
  /** What to do: a command, a file to look at; null where there is nothing to be done. */
  hint: string | null;
}

/** An observation with whom or what it is about: an account, a cluster, a file, a program; null: this home. */
export interface Finding extends Observation {
  subject: string | null;
}

/** Makes the observations of one check. */
export function observe(check: string) {
  const at =
    (level: FindingLevel) =>
    (message: string, hint: string | null = null): Observation => ({ check, level, message, hint });
  return { ok: at('ok'), note: at('note'), warning: at('warning'), problem: at('problem') };
}
