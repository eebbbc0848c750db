import type { RegistryConfig } from '../../contract/config/registry.ts';
import { parseImagePattern } from './image-pattern.ts';

const hubNames = [
  'index.docker.io',
  'registry-1.docker.io',
  'registry.hub.docker.com',
  'hub.docker.com',
  '*.docker.io',
];

/**
 * Why a pattern of config.yaml can't mean what it says; null: it can. A kubelet takes most of these and then matches
 * something else or nothing: it drops a user name, a query and what follows `?`, and takes a `*` in a path for itself
 * (ParseSchemelessURL of k8s.io/kubernetes/pkg/credentialprovider).
 */
export function patternFault(text: string): string | null {
  const [host = '', ...rest] = text.split('/');
  const path = rest.join('/');
  if (text.includes('://')) {
    return 'leave the scheme out: a pattern begins with the registry’s host';
  }
  if (/[?#]/.test(text)) {
    return 'a pattern has no ? and no #; only * stands for other characters';
  }
  if (text.includes('%') || text.includes('\\')) {
    return 'a pattern has no % and no backslash';
  }
  if (text.includes('@')) {
    return 'a pattern has no user name and no digest: images are matched without tag and digest';
  }
  const named = /^(?<name>\[[^[\]*]*\]|[^:[\]]*)(?::(?<port>.*))?$/.exec(host)?.groups;
  if (!named || /[[\]]/.test(path)) {
    return 'square brackets are for an IPv6 address alone, as in [::1]:5000';
  }
  const { name = '', port } = named;
  if (name === '' || name.startsWith('.') || name.endsWith('.')) {
    return 'a pattern begins with the registry’s host';
  }
  if (/[A-Z]/.test(text)) {
    return 'write it in lower case: the names of images are';
  }
  if (!name.startsWith('[') && !/^[a-z0-9*_-]+(?:\.[a-z0-9*_-]+)*$/.test(name)) {
    return 'a registry’s host has letters, digits, dots and dashes';
  }
  if (!/[.*:[]/.test(host) && name !== 'localhost') {
    return `${name} is no registry’s host: an image without one is of Docker Hub, docker.io/library/${name}`;
  }
  if (port !== undefined && !(/^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535)) {
    return port.includes('*') ? 'a * has no effect in a port' : `expected a port, not ${port}`;
  }
  if (path.includes('*')) {
    return 'a * has no effect in a path: a path is the beginning of the image’s';
  }
  if (path.includes(':')) {
    return 'leave the tag out: images are matched without tag and digest';
  }
  // A slash at the end keeps `ghcr.io/team/` from `ghcr.io/teams`.
  if (
    path !== '' &&
    path
      .replace(/\/$/, '')
      .split('/')
      .some((part) => /^\.*$/.test(part))
  ) {
    return 'expected a path of names: no empty part, no dots alone';
  }
  if (hubNames.includes(name) || (name === 'docker.io' && port !== undefined)) {
    return 'Docker Hub’s images are matched by docker.io';
  }
  if (name.startsWith('[') && port === undefined) {
    return 'an IPv6 address needs its port: no image has one without';
  }
  const parsed = parseImagePattern(text);
  return parsed.ok ? null : parsed.message;
}

/** Patterns that two registries have for the same clients: it would not be said which of them counts. */
export function samePatterns(
  registries: Readonly<Record<string, Pick<RegistryConfig, 'matchImages' | 'calledAs'>>>,
): { name: string; index: number; first: string }[] {
  const firsts = new Map<string, string>();
  return Object.entries(registries).flatMap(([name, { matchImages, calledAs = '' }]) =>
    matchImages.flatMap((pattern, index) => {
      const key = `${calledAs} ${pattern}`;
      const first = firsts.get(key);
      firsts.set(key, first ?? name);
      return first === undefined || first === name ? [] : [{ name, index, first }];
    }),
  );
}
