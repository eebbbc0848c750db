import { cliRequest } from '../../contract/frames.ts';

/** Whether a shell asks by itself, as its prompt does, with no person typing the command. */
export function isAutomaticRequest(request: unknown): boolean {
  const args = cliRequest.safeParse(request).data?.args ?? [];
  return args[0] === 'status' && args.some((word) => word === '--format' || word.startsWith('--format='));
}
