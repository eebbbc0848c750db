import { isLoopbackHost } from '../../contract/config/url-rules.ts';
import { parseUrl } from '../../contract/parse-url.ts';

/**
 * Checked again, for all callers (rule: safe-addresses): a web address, serialized again, never another scheme's
 * handler. Null: it is not opened.
 */
export function openable(text: string): string | null {
  const url = parseUrl(text);
  if (url === null) {
    return null;
  }
  const isWeb = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
  return isWeb && url.username === '' && url.password === '' ? url.href : null;
}
