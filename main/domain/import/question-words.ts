import { authorityTexts } from '../server/authority-text.ts';
import { plainAddress } from '../text/plain-address.ts';
import { shownName } from '../text/shown-name.ts';
import { visibleText } from '../text/visible-text.ts';

/** A cluster's address, with the name and route to it. */
export function placeOf(value: {
  server: string;
  tlsServerName?: string | undefined;
  proxyUrl?: string | undefined;
}): string {
  const name = value.tlsServerName === undefined ? '' : `, by a certificate for ${value.tlsServerName}`;
  const proxy = value.proxyUrl === undefined ? '' : `, through the proxy ${shown(value.proxyUrl)}`;
  return `${shown(value.server)}${name}${proxy}`;
}

/** An address and its CA: a line, and one more for each certificate where there is a CA. `more`: further facts. */
export function placeLines(place: string, authorityPem: string | null, more = ''): string[] {
  const [first = '', ...others] = authorityTexts(authorityPem);
  return authorityPem === null
    ? [`${place}: ${first}${more}`]
    : [`${place}:${more}`.replace(/:;/, ';'), ...[first, ...others].map((each) => `  CA ${each}`)];
}

/** Maximum number of names, each cut: they must not push the following text out of sight. */
const namesLimit = 6;

export function listed(names: readonly string[]): string {
  const more = names.length - namesLimit;
  const few = names.slice(0, namesLimit).map((name) => shownName(name));
  return `${few.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** An address without a user name, password or query. */
export function shown(address: string): string {
  return visibleText(plainAddress(address), 300);
}

/** The source of an account's credential that no kubeconfig has: a file, a plugin; null: it is in the kubeconfig. */
export function sourceOf(value: object): string | null {
  const file = tokenFileOf(value);
  if (file !== null) {
    return `what is in ${visibleText(file, 500)}`;
  }
  const { execPlugin } = value as { execPlugin?: { command: string; args?: readonly string[] } };
  return execPlugin === undefined
    ? null
    : `what ${visibleText([execPlugin.command, ...(execPlugin.args ?? [])].join(' '), 500)} answers`;
}

/** The file that an account's token is read from; null: it has none. */
export function tokenFileOf(value: object): string | null {
  const { staticToken } = value as { staticToken?: { file?: string | undefined } };
  return staticToken?.file ?? null;
}
