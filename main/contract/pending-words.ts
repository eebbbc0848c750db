/** What is pending, in the same words everywhere: windows, pages, the command line. */
export interface Pending {
  /** `program`: the program of a plugin changed, not its account. */
  what: string;
  /** The form that was approved before is still used. */
  served: boolean;
}

/** What applies until the user approves: one sentence for each sort of change in `pending`. */
export function pendingText(pending: readonly Pending[]): string {
  const programs = pending.filter(({ what }) => what === 'program');
  const entries = pending.filter(({ what }) => what !== 'program');
  return [
    ...(entries.some(({ served }) => served) ? [servedText] : []),
    ...(entries.some(({ served }) => !served) ? [unservedText] : []),
    ...(programs.length > 0 ? [programText] : []),
  ].join(' ');
}

const servedText =
  'Until you approve a change, Lanyard works with the settings that you approved before. A removal or a stricter policy applies now.';
const unservedText =
  'Nothing is issued for a new account, cluster, registry or inventory until you approve it.';
const programText = 'A plugin whose program changed is not run until you approve it.';

/** Follows a line of a difference that applies before it is approved. */
export const appliesNow = '(applies now)';
