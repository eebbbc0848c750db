import { shownName } from '../../domain/text/shown-name.ts';
import { parseKubeconfig } from '../read/parse-kubeconfig.ts';
import type { ParsedKubeconfig } from '../read/parsed-kubeconfig.ts';
import { isSameEntry } from '../read/same-entry.ts';
import { lanyardUser } from '../rules/lanyard-user.ts';

/**
 * What a file that was changed since its edit would lose by being restored, entry by entry: kubectl writes the
 * complete file for each word that it changes, so the lines say little. Names only. Null: one of the texts is no
 * kubeconfig, so that only the lines can be shown.
 */
export function lostByUndo(before: string, now: string, file: string): string[] | null {
  const [old, present] = [before, now].map((text) => parseKubeconfig(text, file).kubeconfig);
  if (!old || !present) {
    return null;
  }
  const runsLanyard = (user: string | undefined) =>
    user !== undefined && lanyardUser(present.users.get(user)?.exec ?? null) !== null;
  const lost = [
    ...differences('cluster', old.clusters, present.clusters, () => false),
    // Lanyard's own edit gives a context another user; the rest of it is not Lanyard's.
    ...differences('context', old.contexts, present.contexts, (was, is) =>
      runsLanyard(is.user) ? isSameEntry({ ...was, user: is.user }, is) : false,
    ),
    ...differences('user', old.users, present.users, (_, is) => runsLanyard(is.name)),
  ];
  if (old.currentContext !== present.currentContext) {
    const [was, is] = [old, present].map((each) => currentOf(each));
    lost.push(`the current context is ${was} again, not ${is}`);
  }
  return lost;
}

function differences<Entry extends { name: string }>(
  what: string,
  old: ReadonlyMap<string, Entry>,
  present: ReadonlyMap<string, Entry>,
  isOurs: (was: Entry | undefined, is: Entry) => boolean,
): string[] {
  const changed = [...present.values()].flatMap((is) => {
    const was = old.get(is.name);
    if (isOurs(was, is) || (was && isSameEntry(was, is))) {
      return [];
    }
    return [`the ${what} ${shownName(is.name)} ${was ? 'is again as it was' : 'goes'}`];
  });
  const gone = [...old.keys()].filter((name) => !present.has(name));
  return [...changed, ...gone.map((name) => `the ${what} ${shownName(name)} comes back`)];
}

function currentOf({ currentContext }: ParsedKubeconfig): string {
  return currentContext === null || currentContext === '' ? 'none' : shownName(currentContext);
}
