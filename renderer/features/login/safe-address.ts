import { parseUrl } from '../../../main/contract/parse-url.ts';
/**
 * An address that the page may open (rule: safe-addresses): https, or http on loopback, serialized from its parsed
 * form. Null: any other address, which must not be opened.
 */
export function safeAddress(text: string): string | null {
  const url = text.length > 8192 ? null : parseUrl(text);
  if (url === null) {
    return null;
  }
  const isLoopback =
    url.hostname === 'localhost' || url.hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(url.hostname);
  const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback);
  return isAllowed && url.username === '' && url.password === '' ? url.href : null;
}

/** The host of an address, for users: `id.example.com`. */
export function hostOf(text: string): string {
  return parseUrl(text)?.host ?? text;
}
