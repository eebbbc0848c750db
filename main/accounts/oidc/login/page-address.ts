import { isLoopbackHost } from '../../../contract/config/url-rules.ts';

/** The longest address that the user may be asked to open; a longer one floods the terminal. */
const longestAddress = 2048;

/**
 * https, or http on loopback for a loopback issuer (rule: safe-addresses); no user name that could pass for the host.
 */
export function pageAddress(text: string, loopbackHttp: boolean): string | null {
  if (text.length > longestAddress || !URL.canParse(text)) {
    return null;
  }
  const url = new URL(text);
  const local = url.protocol === 'http:' && loopbackHttp && isLoopbackHost(url.hostname);
  return (url.protocol === 'https:' || local) && url.username === '' && url.password === '' ? url.href : null;
}
