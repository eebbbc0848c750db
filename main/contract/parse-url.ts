/**
 * The URL standard’s parser; null where it fails. Not `URL.canParse`: once V8 has compiled a call of it, Node.js 20 and 22
 * say false of `https://bücher.example` (check:words keeps it out).
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
