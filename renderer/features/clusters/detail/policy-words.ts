/** A cluster's approval policy, in a few words. */
export function policyWords(approval: string): string {
  switch (approval) {
    case 'never':
      return 'Never ask';
    case 'always':
      return 'Ask each time';
    case 'perTerminal':
      return 'Ask once per terminal';
    default:
      return `Ask once in ${approval}`;
  }
}
