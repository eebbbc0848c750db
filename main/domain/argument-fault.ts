/** What `parseArgs` of node:util found wrong, without the advice it goes on with. */
export function argumentFault(error: unknown): string {
  return error instanceof Error ? (error.message.split('. ')[0] ?? '') : '';
}
