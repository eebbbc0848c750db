import type { ImportPlan } from './import-plan.ts';
import { listed } from './question-words.ts';

/** Of a new entry that can’t get the name that the user chose for it, `wanted`. One that is there keeps its own. */
export function takenNotes(
  wanted: string | undefined,
  name: string,
  { exists, replaces }: { exists: boolean; replaces: object | boolean | null },
): string[] {
  return wanted === undefined || wanted === name || exists || replaces ? [] : [`the name ${wanted} is taken`];
}

/** Which accounts ask for a refresh token by the user’s wish, or could. */
export function offlineAccessNote({ accounts, added }: NonNullable<ImportPlan['offlineAccess']>): string {
  const names = listed(accounts);
  return added
    ? `asked for a refresh token (offline_access): ${names}`
    : `asked for no refresh token, so each needs a login whenever its token expires: ${names}; --offline-access adds the scope offline_access`;
}
