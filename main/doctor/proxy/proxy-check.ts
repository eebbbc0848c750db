import { access, constants } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Refusal } from '../../contract/refusal.ts';
import { observe } from '../../domain/text/finding.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import type { Directory, Gate } from '../../ports/broker-core.ts';
import type { ProxyEntrance, RequestProxy } from '../../ports/request-proxy.ts';
import { isClosedFolder, socketFolderExcess } from '../../proxy/socket-folder.ts';
import { type Check, listed, type Observed } from '../check.ts';

/** What the broker knows of the request proxy. */
export interface ProxySide {
  /** The file of lanyard-proxy; absolute. */
  program: string;
  /** Where Unix sockets of one client’s own are; absolute. */
  socketFolder: string;
  proxy: Pick<RequestProxy, 'running' | 'faults'> & Pick<ProxyEntrance, 'knownPlace'>;
}

export interface ProxyCheckDeps extends ProxySide {
  platform: NodeJS.Platform;
  /** Null: the system has no user ids. */
  uid: number | null;
  gate: Gate;
  directory: Pick<Directory, 'cluster'>;
}

/** Checks the request proxy of these clusters: whether it can be started, listens, and serves each. */
export function proxyCheck(clusters: readonly string[], deps: ProxyCheckDeps): Check {
  return {
    group: 'proxy',
    name: 'proxy',
    subject: null,
    run: async (signal) => {
      const found = observe('proxy');
      if (deps.platform !== 'linux') {
        return [
          found.problem(
            'on this system it refuses all requests: it can’t tell whose a connection is',
            `leave proxy out of these clusters in config.yaml: ${listed(clusters)}`,
          ),
        ];
      }
      if (!(await isProgram(deps.program))) {
        return [
          observe('proxy.program').problem(
            `its program is missing: ${visibleText(deps.program, 400)}`,
            'install Lanyard again',
          ),
        ];
      }
      const shut = deps.gate();
      return shut
        ? [found.note(`not checked: ${shut.message}`, shut.hint ?? null)]
        : [
            await observeListener(deps, signal),
            ...(await observeSockets(deps)),
            ...clusters.flatMap((name) => observeCluster(name, deps)),
          ];
    },
  };
}

async function observeListener({ proxy }: ProxyCheckDeps, signal: AbortSignal): Promise<Observed> {
  const found = observe('proxy.listener');
  const running = proxy.running();
  if (running) {
    return found.ok(`it listens on 127.0.0.1:${running.port}`);
  }
  const fault = proxy.faults().find(({ cluster }) => cluster === null);
  if (fault) {
    return found.problem(
      `it can’t be started: ${visibleText(fault.text, 400)}`,
      'see agent.log in Lanyard’s home, then run kubectl again',
    );
  }
  const place = proxy.knownPlace();
  return place && (await isTaken(place.port, signal))
    ? found.warning(
        `another program listens on its port, 127.0.0.1:${place.port}; with the next request it takes another port, and writes the managed kubeconfig again`,
        'start programs again that have read the kubeconfig already, such as k9s',
      )
    : found.ok('it isn’t running; the first request starts it');
}

/** Clients that know KEP-2718 get their sockets there. */
async function observeSockets({ socketFolder, platform, uid }: ProxyCheckDeps): Promise<Observed[]> {
  const found = observe('proxy.sockets');
  const folder = visibleText(socketFolder, 400);
  const excess = socketFolderExcess(socketFolder, platform);
  if (excess > 0) {
    return [
      found.note(
        `the home’s path is ${excess} bytes too long for clients’ Unix sockets (KEP-2718)`,
        'for such clients, set listen: tls in the cluster’s proxy.proxyConfig, or LANYARD_HOME to a shorter path',
      ),
    ];
  }
  return (await isClosedFolder(socketFolder, uid)) === false
    ? [
        found.warning(
          `${folder} isn’t your folder alone, so clients get no Unix sockets there (KEP-2718)`,
          'look at what is in it, then remove it',
        ),
      ]
    : [];
}

function observeCluster(name: string, { directory, proxy }: ProxyCheckDeps): Observed[] {
  const found = observe('proxy.cluster');
  const known: { ok: true } | Refusal = directory.cluster(name);
  if (!known.ok) {
    return [
      { ...found.warning(`refused by the proxy: ${known.message}`, known.hint ?? null), subject: name },
    ];
  }
  return proxy
    .faults()
    .filter(({ cluster }) => cluster === name)
    .map(({ text }) => ({
      ...found.problem(
        `the proxy can’t serve it: ${visibleText(text, 400)}`,
        `check its settings: lanyard cluster show ${name}`,
      ),
      subject: name,
    }));
}

function isProgram(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Whether someone listens there. Nothing is sent. */
function isTaken(port: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, signal });
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
