import { isLoopbackHost } from '../../contract/config/url-rules.ts';
import { parseUrl } from '../../contract/parse-url.ts';

/** A registry as its images name it, and where its API is. */
export interface RegistryOrigin {
  /** As the image names it, in lower case: `ghcr.io`, `localhost:5000`, `docker.io`. */
  name: string;
  /** Host and port of its API: that of Docker Hub is registry-1.docker.io. */
  authority: string;
  /** It never leaves this machine: http is possible, as for docker. */
  isLoopback: boolean;
}

const apiHosts: ReadonlyMap<string, string> = new Map([['docker.io', 'registry-1.docker.io']]);

/** `host`: of an image, with its port. Null: it is no host. */
export function registryOrigin(host: string): RegistryOrigin | null {
  const name = host.toLowerCase();
  const authority = apiHosts.get(name) ?? name;
  const url = parseUrl(`https://${authority}/`);
  if (url === null) {
    return null;
  }
  // Another spelling of an address, such as 127.1, would be another host than the one that was approved.
  const isSame = url.host === authority || (url.port === '' && authority === `${url.hostname}:443`);
  return isSame && url.href === `https://${url.host}/`
    ? { name, authority: url.host, isLoopback: isLoopbackHost(url.hostname) }
    : null;
}
