/**
 * The same text in memory of its own: a part cut out of a larger text keeps all of that in memory as long as the part
 * is known. Well-formed texts only.
 */
export function ownText(part: string): string {
  return Buffer.from(part, 'utf8').toString('utf8');
}
