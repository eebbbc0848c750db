import type { ImportPlanView } from '../../../main/contract/ui/calls/import.ts';

/** How many users the text lists. */
const most = 6;

/** `2 users in ~/.kube/config: corp (OpenID at id.example.com), …` */
export function foundWords(plan: ImportPlanView): string {
  const users = plan.users.filter(({ becomes }) => 'account' in becomes);
  const files = [...new Set(users.map(({ file }) => file))].map(homeShort);
  const names = users.slice(0, most).map(({ user, description }) => `${user} (${description})`);
  const more = users.length > most ? `, and ${users.length - most} more` : '';
  const count = users.length === 1 ? '1 user' : `${users.length} users`;
  return `${count} in ${files.join(' and ')}: ${names.join(', ')}${more}`;
}

/** The secrets in plain text, as a reason to import. Null: there are none. */
export function plainWords({ plain }: ImportPlanView): string | null {
  const { count } = plain.now;
  return count === 0
    ? null
    : `${count === 1 ? '1 secret lies' : `${count} secrets lie`} there in plain text; importing puts ${count === 1 ? 'it' : 'them'} into the vault.`;
}

/** A path with the home folder as `~`. */
export function homeShort(path: string): string {
  return path.replace(/^(\/home\/[^/]+|\/Users\/[^/]+|\/root)\//, '~/');
}
