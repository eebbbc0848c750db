import { counted } from '../contract/ui/count-text.ts';
import type { WaitingItem } from './waiting-item.ts';

/** What each profile has for itself; all else that changes is the same for all of a group. */
const own = /^[+-] (profile|server|certificateAuthority|tlsServerName|audience|execConfig): /;
/** A longer one stands by itself. */
const longestOwn = 600;
/** Names are listed in lines of about this length. */
const lineLength = 100;

/**
 * Profiles of one inventory that change in the same way become one item, with a count and their names; what each has for
 * itself, such as its server and CA, is a separate line. All else stays as it is, in its order.
 */
export function groupProfiles(items: readonly WaitingItem[]): WaitingItem[] {
  const groups = Map.groupBy(items, (item) => groupKey(item) ?? item);
  return [...groups.values()].map((group) => {
    const [first] = group;
    return first && group.length > 1 ? together(first, group) : (first as WaitingItem);
  });
}

/** Null: it is in no group. */
function groupKey({ text, part, origin }: WaitingItem): string | null {
  const ownLines = text.lines.filter((line) => own.test(line));
  if (origin === null || ownLines.join('').length > longestOwn) {
    return null;
  }
  const shared = text.lines.filter((line) => !own.test(line));
  const kinds = ownLines.map((line) => line.slice(0, line.indexOf(':')));
  return JSON.stringify([origin.inventory, origin.provider, part.changes[0]?.change, shared, kinds]);
}

function together(first: WaitingItem, group: readonly WaitingItem[]): WaitingItem {
  const changes = group.flatMap(({ part }) => part.changes);
  const shared = first.text.lines.filter((line) => !own.test(line));
  const members = group.map((item) => memberText(item));
  const haveOwn = first.text.lines.some((line) => own.test(line));
  return {
    ...first,
    part: { changes, held: [] },
    text: {
      title: `${counted(changes.length, 'cluster')} of ${first.origin?.inventory} (${changes[0]?.change})`,
      risks: [],
      lines: haveOwn ? [...shared, ...members] : shared,
      ...(!haveOwn && { names: inLines(members) }),
    },
  };
}

/** `eu (team/eu)`, and what is its own. A line `profile:` says where it is from, too. */
function memberText({ text, part, origin }: WaitingItem): string {
  const ownLines = text.lines.filter((line) => own.test(line));
  const isNamed = ownLines.some((line) => line.startsWith('+ profile:'));
  const name = part.changes[0]?.name ?? '';
  return [isNamed ? name : `${name} (${origin?.namespace}/${origin?.name})`, ...ownLines].join('  ');
}

function inLines(names: readonly string[]): string[] {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + name.length < lineLength) {
      lines[lines.length - 1] = `${last}, ${name}`;
    } else {
      lines.push(name);
    }
  }
  return lines;
}
