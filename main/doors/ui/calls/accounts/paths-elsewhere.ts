import { delimiter } from 'node:path';
import type { AccountDraft, DraftProblem } from '../../../../contract/ui/calls/accounts.ts';

const pathKeys = [
  'certificateAuthority',
  'clientAssertionFile',
  'file',
  'certificateFile',
  'keyFile',
  'command',
];
const listKeys = ['searchPath'];
const programKeys = ['browser'];

/**
 * Paths that a page chose and that lead to another machine. To look at `\\host\share\x`, Windows logs in to that host,
 * with a digest of the person's password that the host can keep: no page may choose who gets that. What a person wrote
 * into config.yaml by themselves stays as it is.
 */
export function pathsElsewhere({ set }: Pick<AccountDraft, 'set'>): DraftProblem[] {
  const leads = (text: unknown) => typeof text === 'string' && /^\s*[\\/]{2}/.test(text);
  return [
    ...pathKeys.filter((key) => leads(set[key])),
    ...programKeys.filter((key) => [set[key]].flat().some(leads)),
    ...listKeys.filter((key) =>
      String(set[key] ?? '')
        .split(delimiter)
        .some(leads),
    ),
  ].map((field) => ({
    field,
    item: null,
    severity: 'error',
    message: 'a file on another machine can’t be chosen in a page: write its path into config.yaml yourself',
  }));
}
