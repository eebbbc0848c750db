import { delimiter } from 'node:path';
import type { DraftProblem } from '../../../contract/ui/calls/accounts.ts';

const pathKeys = [
  'certificateAuthority',
  'clientAssertionFile',
  'file',
  'certificateFile',
  'keyFile',
  'command',
  'credentialsFile',
  'module',
  'certificate',
];
const nestedKeys = ['webIdentity'];
const listKeys = ['searchPath'];
const wordKeys = ['browser', 'files'];

/**
 * Finds paths of an account or entry as a page sends it that lead to another machine. To read `\\host\share\x`, Windows logs in to that host
 * with a digest of the user’s password, which the host can keep: a page must not choose that host. Paths that the user
 * wrote to config.yaml are not checked here.
 */
export function pathsElsewhere(set: Readonly<Record<string, unknown>>): DraftProblem[] {
  const leads = (text: unknown) => typeof text === 'string' && /^\s*[\\/]{2}/.test(text);
  return [
    ...pathKeys.filter((key) => leads(set[key])),
    ...nestedKeys.filter((key) => Object.values(set[key] ?? {}).some(leads)),
    ...wordKeys.filter((key) => [set[key]].flat().some(leads)),
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
