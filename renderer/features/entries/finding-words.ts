/**
 * A finding’s hint in the words of a form: with the label of its field in place of the key in config.yaml, which
 * terminals show.
 */
export function hintInForm(hint: string, { key, label }: { key: string; label: string }): string {
  const ofAccount = ' of the (?:account|cluster)(?:(?: \\S+)? in config\\.yaml)?';
  const named = new RegExp(`(?:the account’s |the )${key}\\b(?:${ofAccount})?|${key}${ofAccount}`);
  return hint.replace(named, `“${label}”`);
}
