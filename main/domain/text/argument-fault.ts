/**
 * The fault that `parseArgs` of node:util found: its first sentence in Lanyard's style, without the advice after it.
 */
export function argumentFault(error: unknown): string {
  const [, option] =
    error instanceof Error ? (/^Option '([^']*)' argument is ambiguous/.exec(error.message) ?? []) : [];
  if (option !== undefined) {
    return `what is given to ${option} begins with a dash: write ${option}=-…`;
  }
  const [sentence = ''] = error instanceof Error ? error.message.split(/\.(?:\s|$)/, 1) : [];
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
