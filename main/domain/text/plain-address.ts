import { parseUrl } from '../../contract/parse-url.ts';

const plainPlace = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i;

/**
 * An address for display without a login: what stands before an `@` may be one, even if the rest is no address, and
 * even with `/`, `#` or `\` in the password. The host that an address leads to is never taken for a login (rule: no-secret-in-text).
 */
export function withoutLogin(address: string): string {
  const [, scheme = '', rest = ''] = /^((?:[a-z][a-z0-9+.-]*:)?\/\/)?(.*)$/is.exec(address) ?? [];
  const at = rest.lastIndexOf('@');
  if (at < 0) {
    return address;
  }
  const [place = ''] = rest.split(/[/?#]/, 1);
  if (plainPlace.test(place) && rest[place.length] === '/') {
    return `${scheme}${place}/…`;
  }
  const behind = rest.slice(at + 1);
  // Whoever ends the host before that `@` connects elsewhere, and what it takes for the host may be a login.
  return leadsTo(address, behind) ? `${scheme}…@${behind}` : `${scheme}…`;
}

function leadsTo(address: string, place: string): boolean {
  const { protocol = '', host = '' } = parseUrl(address) ?? {};
  return host === '' || parseUrl(`${protocol}//${place}`)?.host === host;
}

/** An address for display: other letters as punycode, without a user name, password or query. */
export function plainAddress(text: string): string {
  const shown = withoutLogin(text);
  const url = shown !== text && shown.endsWith('…') ? null : parseUrl(shown);
  if (url === null) {
    return shown;
  }
  const { protocol, host, pathname } = url;
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}
