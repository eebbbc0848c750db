import { join } from 'node:path';
import type { Ledger } from '../../main/installed/ledger.ts';
import { type Placed, place, type Wanted } from '../../main/installed/place.ts';
import { inOrder, removeEntry } from '../../main/installed/remove-entry.ts';

/** A link and a file below `folder`/out, as one version of Lanyard has them. */
export async function placeFiles(folder: string, version: string, ledger: Ledger): Promise<Placed[]> {
  const out = join(folder, 'out');
  const wanted: Wanted[] = [
    { kind: 'link', path: join(out, 'bin', 'lanyard'), target: `/${version}/lanyard` },
    { kind: 'file', path: join(out, 'share', 'deep', '_lanyard'), content: Buffer.from(`# ${version}\n`) },
  ];
  const outcomes: Placed[] = [];
  for (const each of wanted) {
    outcomes.push(await place(each, { ledger, now: () => 1 }));
  }
  return outcomes;
}

/** Takes all back; what came of each by its path below `folder`. */
export async function removeFiles(folder: string, ledger: Ledger): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {};
  for (const entry of inOrder(await ledger.entries())) {
    outcomes[entry.path.slice(folder.length + 1)] = (await removeEntry(entry, ledger)).kind;
  }
  return outcomes;
}
