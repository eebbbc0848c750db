import { z } from 'zod';
import { parseUrl } from '../parse-url.ts';

/** The fault of an address with letters outside ASCII. */
const lookAlikeFault = 'must be plain ASCII (xn--… for other letters): two addresses must not look the same';

const loginFault = 'must not hold a user name or password: config.yaml holds no secrets';

/** True for a host (as in `URL.hostname`) that never leaves this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** What is wrong with `text` as the URL of a server that gets secrets; null where nothing is, or it is no URL. */
function secretBearingUrlFault(text: string): string | null {
  const url = parseUrl(text);
  if (url === null) {
    return null; // the URL’s own check reports it
  }
  if (/\s/.test(text)) {
    return 'must not have spaces';
  }
  if (/[^\x21-\x7e]/.test(text)) {
    return lookAlikeFault;
  }
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) {
    return loginFault;
  }
  // Only the URL standard takes it for a slash: curl and Go don't.
  if (text.includes('\\')) {
    return 'must not have a backslash';
  }
  if (text.includes('?') || text.includes('#')) {
    return 'must not have a query or fragment';
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    return 'must be https: over plain http anyone on the way reads the credential (http is for loopback only)';
  }
  return null;
}

/** https, or http on loopback; no user name, query or fragment. */
export const serverUrl = z
  .url({ protocol: /^https?$/, error: 'expected an https:// URL' })
  .max(2048)
  .superRefine((text, context) => {
    const fault = secretBearingUrlFault(text);
    if (fault !== null) {
      context.addIssue(fault);
    }
  });

/** The URL of a proxy. No user name, since config.yaml must not have its password. */
export function proxyUrl(protocol: RegExp, error: string) {
  return (
    z
      .url({ protocol, error })
      .max(2048)
      .refine((text) => /^[\x21-\x7e]*$/.test(text), { error: lookAlikeFault })
      // An @ anywhere: with \, #, ? or / in a password, a URL’s parser sees no user name.
      .refine((text) => !text.includes('@'), { error: loginFault })
  );
}
