import type { InventoryView } from './state.ts';

/**
 * Faults that waiting doesn’t cure, and that nothing else of the state shows: a hub that needs a login is among the
 * clusters that do.
 */
const lasting: ReadonlySet<string> = new Set([
  'unauthorized',
  'forbidden',
  'notServed',
  'badAnswer',
  'tooLarge',
  'endless',
  'file',
  'internal',
]);
const shownElsewhere: ReadonlySet<string> = new Set(['noCredential', 'overQuota']);

/** A token that was just replaced, a hub that restarts: five minutes, in milliseconds. */
const lastingMilliseconds = 300_000;
/** A network that is away: an hour, in milliseconds. */
const awayMilliseconds = 3_600_000;

/**
 * How long its fault must last, in milliseconds, until the user is told without asking. Null: there is none that
 * concerns the user.
 */
export function attentionAfter({ trouble }: Pick<InventoryView, 'trouble'>): number | null {
  if (trouble === null || shownElsewhere.has(trouble.code)) {
    return null;
  }
  return lasting.has(trouble.code) ? lastingMilliseconds : awayMilliseconds;
}

/** Whether its fault has lasted that long at `now`, in milliseconds since 1970. */
export function needsAttention(
  inventory: Pick<InventoryView, 'trouble' | 'troubleSince'>,
  now: number,
): boolean {
  const after = attentionAfter(inventory);
  const { troubleSince } = inventory;
  return after !== null && troubleSince !== null && now - troubleSince >= after;
}

const troubles: ReadonlyMap<string, string> = new Map([
  ['unauthorized', 'its hub rejects the credential (401)'],
  ['forbidden', 'its hub denies access (403)'],
  ['notServed', 'its hub has no ClusterProfiles'],
  ['file', 'a file can’t be read'],
  ['emptied', 'most of its profiles are suddenly missing'],
  ['throttled', 'its hub asks for fewer requests'],
  ['internal', 'an error in Lanyard'],
  ['unreachable', 'its hub can’t be reached'],
  ['silent', 'its hub doesn’t answer'],
]);

/** What is wrong, in a few words without anything that a hub says. */
export function troubleWords({ trouble }: Pick<InventoryView, 'trouble'>): string {
  return troubles.get(trouble?.code ?? '') ?? 'its hub’s list can’t be read';
}
