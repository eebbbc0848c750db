import { cliRequest } from '../../contract/frames.ts';

/** Whether a shell asks by itself, as its prompt and its completion do, with no person typing the command. */
export function isAutomaticRequest(request: unknown): boolean {
  const args = cliRequest.safeParse(request).data?.args ?? [];
  return (
    args[0] === 'complete-names' ||
    (args[0] === 'status' && args.some((word) => word === '--format' || word.startsWith('--format=')))
  );
}
