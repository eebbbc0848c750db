import { posix } from 'node:path';
import type { Ledger } from '../ledger.ts';
import { type PlaceDeps, type Placed, place, wouldPlace } from '../place.ts';
import { inOrder, type Removal, removeEntry } from '../remove-entry.ts';

/**
 * podman, buildah and skopeo ask Lanyard alone (containers-registries.conf.d(5)). With `containers-auth.json` as a second
 * helper, a login that Lanyard refuses or can’t store, as while it is locked, would go into that file in plain text, and
 * be told as a success.
 */
const content = Buffer.from('credential-helpers = ["lanyard"]\n');

export function podmanFile(home: string): string {
  return posix.join(home, '.config/containers/registries.conf.d/50-lanyard.conf');
}

/** Makes the file, with its folders; they are in the ledger. Never replaces a file that isn’t Lanyard’s. */
export async function placePodmanFile(
  path: string,
  { dryRun }: { dryRun: boolean },
  deps: PlaceDeps,
): Promise<Placed> {
  const wanted = { kind: 'file', path, content } as const;
  return dryRun ? wouldPlace(wanted, deps.ledger) : place(wanted, deps);
}

/** Removes a file and the empty folders above it, as far as Lanyard made them. Null: it didn’t make the file. */
export async function removePlaced(path: string, ledger: Ledger): Promise<Removal | null> {
  const entries = await ledger.entries();
  const own = entries.find((entry) => entry.path === path);
  const outcome = own ? await removeEntry(own, ledger) : null;
  for (const folder of inOrder(entries.filter((entry) => entry.kind === 'folder'))) {
    if (path.startsWith(`${folder.path}/`)) {
      await removeEntry(folder, ledger);
    }
  }
  return outcome;
}
