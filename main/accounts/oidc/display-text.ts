import { replaceInvisible } from '../../contract/invisible.ts';

/**
 * Text from outside made fit to be shown: one line without invisible characters, cut at `limit`
 * (rule: stripped-text).
 */
export function displayText(text: string, limit = 200): string {
  const characters = [
    ...replaceInvisible(text.slice(0, limit * 4), () => ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  ];
  return characters.length <= limit ? characters.join('') : `${characters.slice(0, limit - 1).join('')}…`;
}

/** The user's name at the provider, for display: from the claims, else the subject. */
export function displayName(claims: Record<string, unknown>, subject: string): string {
  for (const claim of ['preferred_username', 'email', 'name']) {
    const value = claims[claim];
    if (typeof value === 'string' && displayText(value) !== '') {
      return displayText(value, 100);
    }
  }
  return displayText(subject, 100);
}
