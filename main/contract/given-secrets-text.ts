/** What becomes of the secrets of a kubeconfig that was pasted or came from standard input: its file isn’t known. */
export function givenSecretsText(count: number): string {
  return count === 1
    ? 'The given text has 1 secret. If it came from a file, that file still has it.'
    : `The given text has ${count} secrets. If it came from a file, that file still has them.`;
}
