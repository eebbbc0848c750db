import { parseImagePattern } from './image-pattern.ts';

const hubNames = ['index.docker.io', 'registry-1.docker.io', 'registry.hub.docker.com', 'hub.docker.com'];

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
  if (port !== undefined && !/^[1-9]\d{0,4}$/.test(port)) {
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
  if (hubNames.includes(name)) {
    return 'Docker Hub’s images are matched by docker.io';
  }
  if (name.startsWith('[') && port === undefined) {
    return 'an IPv6 address needs its port: no image has one without';
  }
  const parsed = parseImagePattern(text);
  return parsed.ok ? null : parsed.message;
}
