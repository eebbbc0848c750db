import { type HeaderPairs, mostHeaders } from './protocol.ts';

const longestName = 128;
const longestValue = 16 * 1024;

/** Headers of the connection, of the body’s length and of an upgrade (RFC 9110, section 7.6.1). */
const setByHttp =
  /^(host|connection|keep-alive|transfer-encoding|content-length|te|trailer|upgrade|expect|proxy-(?!authorization$).*|sec-websocket-.*)$/;

/** Whose request it is: the API server takes these for the user’s name (front proxy), or for another user’s. */
const saysWho = /^(x-remote-|impersonate-)/;

/** Why a request can’t get these headers, as the end of a sentence about who set them; null: it can. */
export function headersFault(headers: HeaderPairs): string | null {
  if (headers.length > mostHeaders) {
    return `set ${headers.length} headers; ${mostHeaders} is the most`;
  }
  for (const [name, value] of headers) {
    const fault = headerFault(name.toLowerCase(), value);
    if (fault) {
      return fault;
    }
  }
  return null;
}

function headerFault(name: string, value: string): string | null {
  // RFC 9110, section 5.6.2.
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) || name.length > longestName) {
    return 'set a header whose name HTTP can’t carry';
  }
  // Behind CGI, WSGI and some fronts `_` is `-`.
  const dashed = name.replaceAll('_', '-');
  if (setByHttp.test(dashed)) {
    return `set the header ${name}, which HTTP sets itself`;
  }
  if (saysWho.test(dashed)) {
    return `set the header ${name}, which would change whose request it is`;
  }
  // RFC 9110, section 5.5: a line break would begin another header.
  if (!/^[\t\x20-\x7e]*$/.test(value) || value !== value.trim()) {
    return `set the header ${name} to a value that HTTP can’t carry: printable ASCII without spaces around it`;
  }
  return value.length > longestValue
    ? `set the header ${name} to more than ${longestValue / 1024} KiB`
    : null;
}
