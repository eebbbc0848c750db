import type { ClientListenerConfig, ProxyConfig } from '../../contract/config/proxy.ts';
import type { LoadedCluster } from '../loaded-config.ts';

/**
 * The listener of its own that a client gets, as KEP-2718 has it (docs/adr/0032): where it has a lock file, or the cluster
 * says so. Null: the client has today’s form.
 */
export function clientListenerOf(
  { config: { proxy } }: LoadedCluster,
  lockFile: string | null,
): ClientListenerConfig | null {
  if (proxy === undefined) {
    return null;
  }
  const config = listenerConfigOf(proxy);
  return lockFile !== null || config.answer === 'always' ? config : null;
}

/** What config.yaml says, with what goes without saying. */
export function listenerConfigOf({ proxyConfig }: ProxyConfig): ClientListenerConfig {
  return proxyConfig ?? usual;
}

/** For the user: `for each client, on a Unix socket, idle 5m`. */
export function listenerWords({ answer, listen, clientCertificate, idle }: ClientListenerConfig): string {
  return [
    answer === 'always' ? 'for each client' : 'for clients with a lock file',
    listen === 'unix' ? 'on a Unix socket' : 'on a port of 127.0.0.1',
    ...(clientCertificate ? ['with a client certificate'] : []),
    `idle ${idle}`,
  ].join(', ');
}

const usual: ClientListenerConfig = {
  answer: 'lockFile',
  listen: 'unix',
  clientCertificate: false,
  idle: '5m',
};
