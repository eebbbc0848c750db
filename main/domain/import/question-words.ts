import { createHash } from 'node:crypto';
import { plainAddress } from '../new-cluster.ts';
import { shownName } from '../shown-name.ts';
import { visibleText } from '../visible-text.ts';

/** Where a cluster is, by which name and way. */
export function placeOf(value: {
  server: string;
  tlsServerName?: string | undefined;
  proxyUrl?: string | undefined;
}): string {
  const name = value.tlsServerName === undefined ? '' : `, by a certificate for ${value.tlsServerName}`;
  const proxy = value.proxyUrl === undefined ? '' : `, through the proxy ${shown(value.proxyUrl)}`;
  return `${shown(value.server)}${name}${proxy}`;
}

/** More than these are shown by one over all. */
const fewCertificates = 4;

/** SHA-256 over each certificate's DER, as openssl shows it. */
export function fingerprints(digests: readonly string[]): string {
  if (digests.length === 0) {
    return 'the system’s CAs';
  }
  if (digests.length > fewCertificates) {
    const all = createHash('sha256')
      .update([...new Set(digests)].sort().join('\n'))
      .digest('hex');
    return `${digests.length} CAs, all together ${withColons(all)}`;
  }
  return `CA with SHA-256 ${digests.map(withColons).join(' and ')}`;
}

function withColons(hex: string): string {
  return hex.toUpperCase().replace(/..(?!$)/g, '$&:');
}

/** So many are named, each cut: what is said after them must not be pushed out of sight. */
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

/** Where an account's credential comes from that no kubeconfig knows: a file, a plugin; null: it is in the kubeconfig. */
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

/** The file whose text an account's token is; null where it has none. */
export function tokenFileOf(value: object): string | null {
  const { staticToken } = value as { staticToken?: { file?: string | undefined } };
  return staticToken?.file ?? null;
}
