import { cliRequest } from '../../contract/frames.ts';

/**
 * The requester: the user who typed the command; a program, when a credential is printed for one; or no one, when a
 * shell asks automatically, as its prompt and its completion do.
 */
export function requestedBy(request: unknown): 'person' | 'program' | 'nobody' {
  const args = cliRequest.safeParse(request).data?.args ?? [];
  if (
    args[0] === 'complete-names' ||
    (args[0] === 'status' && args.some((word) => word === '--format' || word.startsWith('--format=')))
  ) {
    return 'nobody';
  }
  return args[0] === 'exec-credential' ? 'program' : 'person';
}
