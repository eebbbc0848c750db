import { mkdir, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BrokerError, refusalError } from '../contract/broker-error.ts';
import type { ClientListenerConfig } from '../contract/config/proxy.ts';
import { durationMilliseconds } from '../contract/duration.ts';
import { lockFilePathFault } from '../domain/proxy/lock-file-path.ts';
import { visibleText } from '../domain/text/visible-text.ts';
import type { Log } from '../ports/log.ts';
import type { ClientListenerView, ProxyObserver } from '../ports/request-proxy.ts';
import type { DataPlane, KeyPair, ListenerOrder } from './data-plane.ts';
import { isClosedFolder, socketFolderExcess, socketPathIn } from './socket-folder.ts';

/** For whom a listener is. */
export interface ListenerClient {
  cluster: string;
  pid: number;
  /** As the system counts it. */
  startTime: string;
  /** The client holds its lock as long as it lives; null: it has none. */
  lockFile: string | null;
}

/** What the data plane says of one. */
interface OpenedListener {
  url: string;
  /** What connections have to show; null: nothing. */
  clientCertificate: KeyPair | null;
}

export interface ClientListenersDeps {
  /** Where the Unix sockets are; absolute. */
  folder: string;
  /** The user’s id; null: the system has none. */
  uid: number | null;
  platform: string;
  clock: { now(): number };
  log: Log;
  observer: Pick<ProxyObserver, 'listenerOpened'>;
}

interface Entry extends ListenerClient {
  id: number;
  openedAt: number;
  opening: Promise<OpenedListener>;
  /** Null: it isn’t open yet. */
  listener: OpenedListener | null;
}

/** The listeners of one client’s own (KEP-2718, docs/adr/0032): which the data plane has. (rule: client-listener) */
export class ClientListeners {
  readonly #deps: ClientListenersDeps;
  /** By what was asked for: who asks for the same again gets the same. */
  readonly #entries = new Map<string, Entry>();
  #lastId = 0;
  #cleaned: Promise<void> = Promise.resolve();

  constructor(deps: ClientListenersDeps) {
    this.#deps = deps;
  }

  /** Throws BrokerError `proxy.listener.…`. */
  open(plane: DataPlane, client: ListenerClient, config: ClientListenerConfig): Promise<OpenedListener> {
    const wish = JSON.stringify([client, config]);
    const known = this.#entries.get(wish);
    if (known) {
      return known.opening;
    }
    this.#lastId += 1;
    const entry: Entry = {
      ...client,
      id: this.#lastId,
      openedAt: this.#deps.clock.now(),
      opening: this.#open(plane, this.#lastId, client, config),
      listener: null,
    };
    this.#entries.set(wish, entry);
    entry.opening.then(
      (listener) => {
        entry.listener = listener;
      },
      () => this.#forget(entry.id),
    );
    return entry.opening;
  }

  /** The data plane says that it has ended. */
  ended(id: number, why: string): void {
    this.#deps.log.info('proxy.listener.ended', { id, why });
    this.#forget(id);
  }

  /** Ends those of clusters that are served no more. */
  keep(isServed: (cluster: string) => boolean, plane: DataPlane): void {
    for (const { id, cluster, opening } of this.#entries.values()) {
      if (!isServed(cluster)) {
        // One that isn’t open yet ends as soon as it is.
        void opening.then(
          () => plane.order({ do: 'endListener', id }),
          () => undefined,
        );
      }
    }
  }

  /** Another data plane has begun: it has none, and the last one may have been killed. */
  startAnew(): void {
    this.#entries.clear();
    this.#cleaned = this.#clean();
  }

  /** Those that are open. */
  all(): readonly Omit<ClientListenerView, 'program'>[] {
    return [...this.#entries.values()].flatMap(({ listener, id, cluster, pid, lockFile, openedAt }) =>
      listener ? [{ id, cluster, pid, url: listener.url, lockFile, openedAt }] : [],
    );
  }

  async #open(
    plane: DataPlane,
    id: number,
    client: ListenerClient,
    config: ClientListenerConfig,
  ): Promise<OpenedListener> {
    const { cluster, pid, startTime: started, lockFile } = client;
    // The data plane looks at the file.
    const fault = lockFile === null ? null : lockFilePathFault(lockFile, 'proxy.listener.lockPath');
    if (fault) {
      throw refusalError(fault);
    }
    const listen: ListenerOrder['listen'] =
      config.listen === 'tls' ? { kind: 'tls' } : { kind: 'unix', path: await this.#socketPath() };
    const told = await plane.openListener({
      do: 'listener',
      id,
      cluster,
      pid,
      started,
      lockFile,
      listen,
      clientCertificate: config.clientCertificate,
      // The schema has parsed it.
      idleMilliseconds: durationMilliseconds(config.idle) ?? 0,
    });
    if (told === null) {
      throw new BrokerError('proxy.listener', 'the request proxy ended before its listener was open', {
        hint: 'try again',
      });
    }
    if (told.tell === 'listenerRefused') {
      throw new BrokerError(`proxy.listener.${told.code}`, visibleText(told.text, 600), {
        reason: 'usage',
        ...(told.hint !== null && { hint: told.hint }),
      });
    }
    const url =
      listen.kind === 'unix'
        ? `unix://${pathToFileURL(listen.path).pathname}`
        : `https://127.0.0.1:${told.port}`;
    this.#deps.log.info('proxy.listener', { id, cluster, pid, url });
    this.#deps.observer.listenerOpened(cluster);
    return { url, clientCertificate: told.clientCertificate };
  }

  #forget(id: number): void {
    for (const [wish, entry] of this.#entries) {
      if (entry.id === id) {
        this.#entries.delete(wish);
      }
    }
  }

  /** A new one, in a folder that is the user’s alone. */
  async #socketPath(): Promise<string> {
    const { folder, platform } = this.#deps;
    const path = socketPathIn(folder);
    const excess = socketFolderExcess(folder, platform);
    if (excess > 0) {
      throw new BrokerError(
        'proxy.listener.socketPath',
        `the path ${visibleText(path, 400)} is ${excess} bytes too long for a socket`,
        {
          reason: 'usage',
          hint: 'set listen: tls in the cluster’s proxy.proxyConfig in config.yaml, or set LANYARD_HOME to a shorter path',
        },
      );
    }
    await this.#cleaned;
    await this.#ensureFolder();
    return path;
  }

  async #ensureFolder(): Promise<void> {
    const { folder, uid } = this.#deps;
    // An existing one is looked at below.
    await mkdir(folder, { mode: 0o700 }).catch(() => undefined);
    if (!(await isClosedFolder(folder, uid))) {
      throw new BrokerError('proxy.listener.folder', `${folder} isn’t your folder alone`, {
        reason: 'usage',
        hint: 'look at what is in it, then remove it',
      });
    }
  }

  /** What a killed data plane left: nobody listens there. */
  async #clean(): Promise<void> {
    const { folder } = this.#deps;
    const names = await readdir(folder).catch(() => []);
    const sockets = names.filter((name) => name.endsWith('.sock'));
    await Promise.all(sockets.map((name) => unlink(join(folder, name)).catch(() => undefined)));
  }
}
