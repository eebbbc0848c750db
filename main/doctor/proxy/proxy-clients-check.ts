import { existsSync } from 'node:fs';
import { release } from 'node:os';
import type { KubeCluster, MergedKubeconfig } from '../../domain/import/kubeconfig.ts';
import { observe } from '../../domain/text/finding.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import { type Check, listed, type Observed } from '../check.ts';
import type { UserEnvironment } from '../user/user-environment.ts';

export interface ProxyClientsCheckDeps {
  person: Pick<UserEnvironment, 'variables'>;
  /** The caller’s kubeconfigs. */
  read(): Promise<Pick<MergedKubeconfig, 'clusters'>>;
  /** Where the request proxy listens, or will; null: unknown. */
  port: number | null;
  /** Where the caller runs; default: as this process finds it. */
  inside?: 'container' | 'wsl' | null;
}

/** Checks whether the caller’s clients can reach the request proxy with their kubeconfigs and variables. */
export function proxyClientsCheck(deps: ProxyClientsCheckDeps): Check {
  return {
    group: 'proxy',
    name: 'proxy.clients',
    subject: null,
    run: async () => {
      const { clusters } = await deps.read();
      const proxied = [...clusters.values()].flatMap((cluster) => {
        const port = proxiedPort(cluster);
        return port === null ? [] : [{ cluster, port }];
      });
      return proxied.length === 0
        ? []
        : [...observePython(deps.person.variables), ...observePlaces(proxied, deps)];
    },
  };
}

/** For a caller in another container than Lanyard: its kubeconfigs can’t be read from here. */
export function otherContainerCheck(clusters: readonly string[]): Check {
  return {
    group: 'proxy',
    name: 'proxy.clients',
    subject: null,
    run: () => [
      observe('proxy.reach').warning(
        `another container’s 127.0.0.1 isn’t this one’s: clients there can’t reach ${listed(clusters)}`,
        again,
      ),
    ],
  };
}

const again = 'run Lanyard where the client runs, and there: lanyard kubeconfig write';

/** The listener’s address in the managed kubeconfig (main/domain/proxy/client-view.ts). */
function proxiedPort({ server }: KubeCluster): number | null {
  const port = /^https:\/\/127\.0\.0\.1:(\d{1,5})\/c\/[^/]+$/.exec(server)?.[1];
  return port === undefined ? null : Number(port);
}

/** Go’s and Node’s clients never send requests for loopback to a proxy. */
function observePython(variables: UserEnvironment['variables']): Observed[] {
  const of = (name: string) => variables[name] ?? variables[name.toLowerCase()] ?? '';
  const isBypassed = of('NO_PROXY')
    .split(/[\s,]+/)
    .some((each) => each === '*' || each === '127.0.0.1' || /^127\.[\d.]+\/\d+$/.test(each));
  return of('HTTPS_PROXY') === '' || isBypassed
    ? []
    : [
        observe('proxy.noProxy').warning(
          'HTTPS_PROXY is set, and NO_PROXY doesn’t name 127.0.0.1: Python sends requests for the request proxy there',
          'add 127.0.0.1 to NO_PROXY',
        ),
      ];
}

function observePlaces(
  proxied: readonly { cluster: KubeCluster; port: number }[],
  { port, inside = surroundings() }: ProxyClientsCheckDeps,
): Observed[] {
  const found = observe('proxy.reach');
  const elsewhere = proxied.filter((each) => each.port !== port);
  if (port !== null && elsewhere.length > 0) {
    return [
      found.warning(
        `the server of ${names(elsewhere)} is a request proxy, but not this Lanyard’s, which has port ${port}`,
        inside === 'container' ? again : 'write the kubeconfig again: lanyard kubeconfig write',
      ),
    ];
  }
  if (port === null && inside === 'container') {
    return [
      found.warning(
        `the server of ${names(proxied)} is a request proxy on 127.0.0.1, which is this container and not its host`,
        again,
      ),
    ];
  }
  const forWindows =
    inside === 'wsl' ? proxied.filter(({ cluster }) => /^\/mnt\/[a-z]\//.test(cluster.origin.file)) : [];
  return forWindows.length === 0
    ? []
    : [
        found.warning(
          `a file of Windows names the request proxy in WSL, which refuses clients of Windows, as the server of ${names(forWindows)}`,
          'use these contexts in WSL only',
        ),
      ];
}

function names(proxied: readonly { cluster: KubeCluster }[]): string {
  return listed(proxied.map(({ cluster }) => visibleText(cluster.name, 100)));
}

/** Docker, Podman and WSL leave these marks. */
function surroundings(): 'container' | 'wsl' | null {
  if (existsSync('/.dockerenv') || existsSync('/run/.containerenv')) {
    return 'container';
  }
  return /microsoft/i.test(release()) ? 'wsl' : null;
}
