import { counted } from '../../contract/ui/count-text.ts';
import type { PlanQuestion } from '../../domain/import/import-plan.ts';
import { namesOf } from '../../domain/loaded-config.ts';
import { shownName } from '../../domain/text/shown-name.ts';
import type { PreparedImport } from '../../kubeconfig/import/prepare.ts';

export const questionHeadings: Readonly<Record<PlanQuestion['kind'], string>> = {
  replaces: 'what was imported before, and is something else now',
  unknownAuthority: 'servers that Lanyard doesn’t know yet',
  otherAuthority: 'servers that Lanyard knows with another CA, name or proxy',
  insecure: 'TLS verification is off',
  mixedFiles: 'contexts that get another file’s cluster or user, as kubectl merges files',
  sharedAudience: 'one token that is good at several servers, so each could use it at the others',
};

/** What is asked of these contexts. */
export function questionAsked(kind: PlanQuestion['kind'], contexts: readonly string[]): string {
  const [only = ''] = contexts;
  const those = contexts.length === 1 ? shownName(only) : `these ${contexts.length} contexts`;
  switch (kind) {
    case 'replaces':
      return `Replace ${those} with the current kubeconfig entries?`;
    case 'unknownAuthority':
      return contexts.length === 1 ? `Trust the server of ${those}?` : `Trust the servers of ${those}?`;
    case 'otherAuthority':
      return `Trust ${those} with another CA, name or proxy than the cluster that is there?`;
    case 'insecure':
      return `Import ${those} without TLS verification?`;
    case 'mixedFiles':
      return `Import ${those} with another file’s cluster or user?`;
    case 'sharedAudience':
      return `Import ${those}, which share${contexts.length === 1 ? 's' : ''} one token?`;
  }
}

/** What is the case with accounts that ask for no refresh token. */
export function offlineAccessFact(accounts: readonly string[]): string {
  const few = accounts.slice(0, 8).join(', ');
  const names = accounts.length > 8 ? `${few} and ${accounts.length - 8} more` : few;
  return `Without a refresh token (the scope offline_access) you log in again whenever the token expires: ${names}`;
}

export function offlineAccessAsked(count: number): string {
  return `Add offline_access to the scopes of ${count === 1 ? 'this account' : `these ${count} accounts`}?`;
}

/** Where more than a letter is wanted for a yes. */
export function wantsWholeWord(kind: PlanQuestion['kind']): boolean {
  return kind === 'insecure';
}

/** The contexts that are imported without the refused ones. */
export function contextsLeft({ plan }: Pick<PreparedImport, 'plan'>, refused: ReadonlySet<string>): string[] {
  return plan.clusters
    .filter(({ context, becomes }) => 'cluster' in becomes && !refused.has(context))
    .map(({ context }) => context);
}

/** What a yes to all does, in one sentence: `Import 2 accounts and 3 clusters, and edit FILE?` */
export function sumAsked({ plan, edits, files }: Pick<PreparedImport, 'plan' | 'edits' | 'files'>): string {
  const accounts = plan.users.flatMap(({ becomes }) =>
    'account' in becomes && becomes.replaces ? [becomes.account] : [],
  );
  const clusters = plan.clusters.flatMap(({ becomes }) =>
    'cluster' in becomes && becomes.replaces !== null ? [becomes.cluster] : [],
  );
  const replaced = { account: new Set(accounts), cluster: new Set(clusters) };
  const does = (verb: string, isReplaced: boolean) => {
    const parts = (['account', 'cluster'] as const).flatMap((what) => {
      const names = namesOf(edits, what).filter((name) => replaced[what].has(name) === isReplaced);
      return names.length === 0 ? [] : [counted(names.length, what)];
    });
    return parts.length === 0 ? [] : [`${verb} ${parts.join(' and ')}`];
  };
  const edited = files.map(({ path }) => path).join(', ');
  const all = [
    ...does('import', false),
    ...does('replace', true),
    ...(edited === '' ? [] : [`edit ${edited}`]),
  ].join(', and ');
  return `${all.charAt(0).toUpperCase()}${all.slice(1)}?`;
}
