import { counted } from './ui/count-text.ts';
/** What is pending, in the same words everywhere: windows, pages, the command line. */
export interface Pending {
  /** `program`: the program of a plugin changed, not its account; `module`: that of a key on a token. */
  what: string;
  /** The form that was approved before is still used. */
  served: boolean;
}

/** Something pending, by its name. */
export interface PendingEntry extends Pending {
  name: string;
  change: string;
  /** The inventory of the profile that a cluster is. */
  inventory?: string | undefined;
}

/** What the user decides at once: the profiles of an inventory are one item, however many have changed. */
export function pendingItems<Entry extends PendingEntry>(pending: readonly Entry[]): [Entry, ...Entry[]][] {
  return [...Map.groupBy(pending, pendingKey).values()] as [Entry, ...Entry[]][];
}

/** The same for all that is one item. */
export function pendingKey({
  what,
  name,
  inventory,
}: Pick<PendingEntry, 'what' | 'name' | 'inventory'>): string {
  return inventory === undefined ? `${what} ${name}` : `profiles ${inventory}`;
}

/** How many changes wait for the user, by their items. */
export function countPending(held: Readonly<Record<string, PendingEntry>>): number {
  return pendingItems(Object.values(held)).length;
}

/** `1 change needs your approval`, `300 clusters of fleet need your approval`. */
export function pendingCountText(held: Readonly<Record<string, PendingEntry>>): string {
  const items = pendingItems(Object.values(held));
  const [first] = items;
  if (items.length === 1 && first) {
    return first.length === 1 ? '1 change needs your approval' : `${pendingName(first)} need your approval`;
  }
  return `${items.length} changes need your approval`;
}

/** `cluster prod`, `program of corp`, `module of card`, `300 clusters of fleet`. */
export function pendingName([first, ...more]: readonly [PendingEntry, ...PendingEntry[]]): string {
  const { what, name, inventory } = first;
  return more.length > 0
    ? `${counted(more.length + 1, 'cluster')} of ${inventory}`
    : `${ofFiles.includes(what) ? `${what} of` : what} ${name}`;
}

/** What applies until the user approves: one sentence for each sort of change in `pending`. */
export function pendingText(pending: readonly Pending[]): string {
  const entries = pending.filter(({ what }) => !ofFiles.includes(what));
  const has = (kind: string) => pending.some(({ what }) => what === kind);
  return [
    ...(entries.some(({ served }) => served) ? [servedText] : []),
    ...(entries.some(({ served }) => !served) ? [unservedText] : []),
    ...(has('program') ? [programText] : []),
    ...(has('module') ? [moduleText] : []),
  ].join(' ');
}

const ofFiles: readonly string[] = ['program', 'module'];

const servedText =
  'Until you approve a change, Lanyard works with the settings that you approved before. A removal or a stricter policy applies now.';
const unservedText =
  'Nothing is issued for a new account, cluster, registry or inventory until you approve it.';
const programText = 'A plugin whose program changed is not run until you approve it.';
const moduleText = 'A PKCS#11 module that changed is not loaded until you approve it.';

/** Follows a line of a difference that applies before it is approved. */
export const appliesNow = '(applies now)';
