/** The severity of a finding, the worst first. `problem`: something does not work. */
export const findingLevels = ['problem', 'warning', 'note', 'ok'] as const;
export type FindingLevel = (typeof findingLevels)[number];

/** The result of one check, about what was checked. Contains no secret; foreign text in it is safe for display. */
export interface Observation {
  /** Stable, dotted, for programs: `account.discovery`. */
  check: string;
  level: FindingLevel;
  /** One sentence, in lower case where possible, without a full stop. */
  message: string;
  /** What to do: a command to run, a file to check; null: nothing to do. */
  hint: string | null;
  /** The account’s key in config.yaml to look at, for a form to lead there. */
  key?: string;
}

/** An observation with its subject: an account, a cluster, a file, a program; null: this home. */
export interface Finding extends Observation {
  subject: string | null;
}

/** Makes the observations of one check. */
export function observe(check: string) {
  const at =
    (level: FindingLevel) =>
    (message: string, hint: string | null = null, key: string | null = null): Observation => ({
      check,
      level,
      message,
      hint,
      ...(key !== null && { key }),
    });
  return { ok: at('ok'), note: at('note'), warning: at('warning'), problem: at('problem') };
}
