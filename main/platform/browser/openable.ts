import { isLoopbackHost } from '../../contract/config/url-rules.ts';

/**
 * Checked again, for all callers (rule: safe-addresses): a web address, serialized again, never another scheme's
 * handler. Null: it is not opened.
 */
export function openable(text: string): string | null {
  if (!URL.canParse(text)) {
    return null;
  }
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
  return isWeb && url.username === '' && url.password === '' ? url.href : null;
}
