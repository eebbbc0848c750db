import { visibleText } from '../text/visible-text.ts';
import type { ImportPlan } from './import-plan.ts';
import type { Origin } from './kubeconfig.ts';
import { listed } from './question-words.ts';

/** Of a new entry that can’t get the name that the user chose for it, `wanted`. One that is there keeps its own. */
export function takenNotes(
  wanted: string | undefined,
  name: string,
  { exists, replaces }: { exists: boolean; replaces: object | boolean | null },
): string[] {
  return wanted === undefined || wanted === name || exists || replaces ? [] : [`the name ${wanted} is taken`];
}

/** Of an entry of several files whose name another of them has, too. */
export function numberedNotes(name: string, { file, name: nameInFile }: Origin): string[] {
  return name === nameInFile ? [] : [`it is ${visibleText(nameInFile, 200)} of ${visibleText(file, 500)}`];
}

/** Which accounts ask for a refresh token by the user’s wish, or could. */
export function offlineAccessNote({ accounts, added }: NonNullable<ImportPlan['offlineAccess']>): string {
  const names = listed(accounts);
  return added
    ? `asked for a refresh token (offline_access): ${names}`
    : `asked for no refresh token, so each needs a login whenever its token expires: ${names}; --offline-access adds the scope offline_access`;
}
