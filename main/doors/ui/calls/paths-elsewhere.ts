import { delimiter } from 'node:path';
import { BrokerError } from '../../../contract/broker-error.ts';
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
  const leads = (text: unknown) => typeof text === 'string' && leadsElsewhere(text);
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

/**
 * Throws BrokerError for a path that a page sends to have it read, and that leads to another machine. `known`: the paths
 * that Lanyard reads without the page, such as those of KUBECONFIG.
 */
export function refusePathsElsewhere(paths: readonly string[], known: readonly string[] = []): void {
  if (paths.some((path) => leadsElsewhere(path) && !known.includes(path))) {
    throw new BrokerError('path.elsewhere', 'a file on another machine can’t be chosen in a page', {
      reason: 'usage',
      hint: 'copy it to this machine, or import it in a terminal',
    });
  }
}

/** `\\host\share`, `//host/share`, and what Windows takes for such a path: `\??\UNC\host`. */
function leadsElsewhere(path: string): boolean {
  return /^\s*[\\/](?:[\\/]|\?\?[\\/])/.test(path);
}
