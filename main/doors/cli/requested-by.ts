import { cliRequest } from '../../contract/frames.ts';

/**
 * Who asks: a person who typed the command; a program, as where a credential is printed for one; or nobody, where a
 * shell asks by itself, as its prompt and its completion do.
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
