import type { ImportPlanView } from '../../../main/contract/ui/calls/import.ts';
import { counted } from '../../../main/contract/ui/count-text.ts';

/** `12 clusters and 9 users in ~/.kube/config`: what can be imported. */
export function foundWords(plan: ImportPlanView): string {
  const users = plan.users.filter(({ becomes }) => 'account' in becomes);
  const clusters = plan.contexts.flatMap(({ becomes }) => ('cluster' in becomes ? [becomes.cluster] : []));
  const files = [...new Set(users.map(({ file }) => file))].map(homeShort);
  return `${counted(new Set(clusters).size, 'cluster')} and ${counted(users.length, 'user')} in ${files.join(' and ')}`;
}

/** One kind of users, and what their accounts need after the import. */
export interface FoundKind {
  label: string;
  count: number;
  next: string;
}

/** The users that can be imported, by kind: first those that need a login. */
export function foundKinds({ users }: Pick<ImportPlanView, 'users'>): FoundKind[] {
  const kinds = new Map<string, FoundKind>();
  for (const { kind, description, becomes } of users) {
    if ('account' in becomes) {
      const label = kindLabels[kind] ?? description;
      const next = becomes.needsLogin ? 'log in once' : kind === 'execPlugin' ? 'runs as before' : 'ready';
      const key = `${label}\n${next}`;
      kinds.set(key, { label, next, count: (kinds.get(key)?.count ?? 0) + 1 });
    }
  }
  const all = [...kinds.values()];
  return [
    ...all.filter(({ next }) => next === 'log in once'),
    ...all.filter(({ next }) => next !== 'log in once'),
  ];
}

/** An exec plugin is called by its own name. */
const kindLabels: Readonly<Record<string, string>> = {
  kubelogin: 'OpenID Connect login',
  authProviderOidc: 'OpenID Connect login',
  clientCertificate: 'client certificate',
  staticToken: 'token',
  tokenFile: 'token in a file',
};

/** `3 contexts can’t be imported`; null: all can. */
export function cantWords({ contexts }: Pick<ImportPlanView, 'contexts'>): string | null {
  const count = contexts.filter(({ becomes }) => 'left' in becomes).length;
  return count === 0 ? null : `${counted(count, 'context')} can’t be imported`;
}

/** The secrets in plain text, as a reason to import; `leftOut` contexts aren’t. Null: there are none. */
export function plainWords(
  { plain, inPlace }: Pick<ImportPlanView, 'plain' | 'inPlace'>,
  leftOut: number,
): string | null {
  const { count } = plain.now;
  if (count === 0) {
    return null;
  }
  const are = count === 1 ? '1 secret is' : `${count} secrets are`;
  const moved = count - plain.after.count;
  const moves =
    moved === count && leftOut === 0
      ? count === 1
        ? 'moves it'
        : 'moves them'
      : `moves up to ${moved} of them`;
  return `${are} stored there in plain text. ${inPlace ? `Importing ${moves} to the vault.` : 'The file keeps its copies.'}`;
}

/** A path with the home folder as `~`. */
export function homeShort(path: string): string {
  return path.replace(/^(\/home\/[^/]+|\/Users\/[^/]+|\/root)\//, '~/');
}
