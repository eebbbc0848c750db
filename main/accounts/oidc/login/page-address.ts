import { isLoopbackHost } from '../../../contract/config/url-rules.ts';
import { parseUrl } from '../../../contract/parse-url.ts';

/** The longest address that the user may be asked to open; a longer one floods the terminal. */
const longestAddress = 2048;

/**
 * https, or http on loopback for a loopback issuer (rule: safe-addresses); no user name that could pass for the host.
 */
export function pageAddress(text: string, loopbackHttp: boolean): string | null {
  const url = text.length > longestAddress ? null : parseUrl(text);
  if (url === null) {
    return null;
  }
  const local = url.protocol === 'http:' && loopbackHttp && isLoopbackHost(url.hostname);
  return (url.protocol === 'https:' || local) && url.username === '' && url.password === '' ? url.href : null;
}
