import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { failure } from './kubernetes/objects.ts';
import { type KubernetesApi, startKubernetesApi } from './kubernetes-api.ts';
import type { StageConfig, StageOptions } from './stage.ts';

/** A ClusterProfile as the API has it. */
export interface ProfileObject {
  apiVersion?: string;
  kind?: string;
  metadata: {
    namespace: string;
    name: string;
    uid?: string;
    resourceVersion?: string;
    labels?: Record<string, string>;
    managedFields?: object[];
  };
  spec: object;
  status?: object;
}

/** What the hub does in place of an answer. */
export type HubFault =
  | { kind: 'status'; status: number; headers?: Record<string, string>; message?: string }
  /** Ends the connection. */
  | { kind: 'hangUp' }
  /** Takes the request and says nothing. */
  | { kind: 'silent' }
  | { kind: 'body'; body: string };

interface HubEvent {
  version: number;
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: ProfileObject;
}

interface Watcher {
  response: ServerResponse;
  namespace: string | null;
  apiVersion: string;
  matches(object: ProfileObject): boolean;
}

/** One request that arrived. */
export interface HubRequest {
  version: string;
  namespace: string | null;
  query: Readonly<Record<string, string>>;
  authorization: string | null;
}

const path = /^\/apis\/multicluster\.x-k8s\.io\/([^/]+)(?:\/namespaces\/([^/]+))?\/clusterprofiles$/;

/**
 * The part of an API server that a hub needs: ClusterProfiles with list by pages, watch, bookmarks and compaction. It
 * breaks, lags and misbehaves on command. Behind `startInventoryHub`, or as `more` of the small API server.
 */
export class InventoryHub {
  /** Versions that its CRD serves; none: it has no CRD. */
  versions: readonly string[] = ['v1alpha2', 'v1alpha1'];
  /** Instead of each answer to a list, or to a watch. */
  listFault: HubFault | null = null;
  watchFault: HubFault | null = null;
  /** Instead of each page after the first. */
  pageFault: HubFault | null = null;
  /** Each page but for its `continue`; after it the same comes again. */
  isEndless = false;
  /** Watchers are told of nothing until it is false again. */
  lags = false;
  readonly requests: HubRequest[] = [];
  readonly #objects = new Map<string, ProfileObject>();
  readonly #watchers = new Set<Watcher>();
  #events: HubEvent[] = [];
  #version = 1000;
  /** The oldest version from which a watch can begin. */
  #compacted = 0;
  #told = 1000;
  readonly #pages = new Map<string, { items: ProfileObject[]; version: number }>();
  #tokens = 0;

  get version(): number {
    return this.#version;
  }

  get watchers(): number {
    return this.#watchers.size;
  }

  get lists(): number {
    return this.requests.filter(({ query }) => query['watch'] === undefined).length;
  }

  put(...objects: readonly ProfileObject[]): void {
    for (const object of objects) {
      const key = keyOf(object);
      const version = ++this.#version;
      const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
      this.#events.push({ version, type: this.#objects.has(key) ? 'MODIFIED' : 'ADDED', object: stored });
      this.#objects.set(key, stored);
    }
    this.catchUp();
  }

  delete(namespace: string, name: string): void {
    const object = this.#objects.get(`${namespace}/${name}`);
    if (object && this.#objects.delete(`${namespace}/${name}`)) {
      const version = ++this.#version;
      const last = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
      this.#events.push({ version, type: 'DELETED', object: last });
    }
    this.catchUp();
  }

  /** Without telling its watchers, as after a restore from a backup. */
  forgetAll(): void {
    this.#objects.clear();
    this.#version++;
    this.#told = this.#version;
  }

  /** Forgets what has changed until now: a watch or a page from before gets 410. */
  compact(): void {
    this.#version++;
    this.#compacted = this.#version;
    this.#events = [];
    this.#pages.clear();
  }

  catchUp(): void {
    for (const event of this.#events) {
      if (!this.lags && event.version > this.#told) {
        this.#tell(event);
        this.#told = event.version;
      }
    }
  }

  bookmark(version = this.#version): void {
    this.sendLine(
      JSON.stringify({
        type: 'BOOKMARK',
        object: { kind: 'ClusterProfile', metadata: { resourceVersion: String(version) } },
      }),
    );
  }

  /** An ERROR event. */
  sendError(code: number, more: object = {}): void {
    this.sendLine(JSON.stringify({ type: 'ERROR', object: { ...failure(code, '', 'told so'), ...more } }));
  }

  /** To all watchers, whatever it is. */
  sendLine(text: string): void {
    for (const { response } of this.#watchers) {
      response.write(`${text}\n`);
    }
  }

  /** As at the end of their time. */
  endWatches(): void {
    for (const { response } of this.#watchers) {
      response.end();
    }
  }

  breakWatches(): void {
    for (const { response } of this.#watchers) {
      response.destroy();
    }
  }

  /** False: the request isn't for it. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const url = new URL(request.url ?? '/', 'http://hub');
    const [, version = '', namespace = null] = path.exec(url.pathname) ?? [];
    if (version === '' || request.method !== 'GET') {
      return false;
    }
    const query = Object.fromEntries(url.searchParams);
    const { authorization = null } = request.headers;
    this.requests.push({ version, namespace, query, authorization });
    request.resume();
    const fault =
      query['watch'] !== undefined
        ? this.watchFault
        : query['continue'] !== undefined
          ? (this.pageFault ?? this.listFault)
          : this.listFault;
    if (!this.versions.includes(version)) {
      answer(response, 404, failure(404, 'NotFound', 'the server could not find the requested resource'));
    } else if (fault) {
      misbehave(response, fault);
    } else if (query['watch'] === undefined) {
      this.#list(response, version, namespace, query);
    } else {
      this.#watch(response, version, namespace, query);
    }
    return true;
  }

  #list(
    response: ServerResponse,
    version: string,
    namespace: string | null,
    query: Readonly<Record<string, string>>,
  ): void {
    const apiVersion = `multicluster.x-k8s.io/${version}`;
    const begun = query['continue'] === undefined ? null : this.#pages.get(query['continue']);
    if (begun === undefined) {
      answer(response, 410, failure(410, 'Expired', 'The provided continue parameter is too old'));
      return;
    }
    const matches = selector(query['labelSelector']);
    const { items, version: at } = begun ?? {
      items: [...this.#objects.values()]
        .filter(
          (object) => (namespace === null || object.metadata.namespace === namespace) && matches(object),
        )
        .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
      version: this.#version,
    };
    const limit = Number(query['limit'] ?? items.length);
    const rest = this.isEndless ? items : items.slice(limit);
    let token = '';
    if (rest.length > 0 || this.isEndless) {
      token = `page-${++this.#tokens}`;
      this.#pages.set(token, { items: rest, version: at });
    }
    answer(response, 200, {
      apiVersion,
      kind: 'ClusterProfileList',
      metadata: { resourceVersion: String(at), ...(token !== '' && { continue: token }) },
      items: items.slice(0, limit).map((object) => ({ ...object, apiVersion, kind: 'ClusterProfile' })),
    });
  }

  #watch(
    response: ServerResponse,
    version: string,
    namespace: string | null,
    query: Readonly<Record<string, string>>,
  ): void {
    const from = Number(query['resourceVersion'] ?? 0);
    if (from < this.#compacted) {
      answer(response, 410, failure(410, 'Expired', 'too old resource version'));
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    const watcher: Watcher = {
      response,
      namespace,
      apiVersion: `multicluster.x-k8s.io/${version}`,
      matches: selector(query['labelSelector']),
    };
    this.#watchers.add(watcher);
    response.once('close', () => this.#watchers.delete(watcher));
    for (const event of this.#events.filter((each) => each.version > from && each.version <= this.#told)) {
      send(watcher, event);
    }
  }

  #tell(event: HubEvent): void {
    for (const watcher of this.#watchers) {
      send(watcher, event);
    }
  }
}

/** A hub over plain HTTP on a free port of 127.0.0.1. */
export async function startInventoryHub(): Promise<{
  hub: InventoryHub;
  server: string;
  /** How many there were. */
  connections(): number;
  dispose(): Promise<void>;
}> {
  const hub = new InventoryHub();
  const server = createServer((request, response) => {
    if (!hub.handle(request, response)) {
      answer(response, 404, failure(404, 'NotFound', 'not found'));
    }
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    hub,
    connections: () => connections,
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    dispose: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** A profile as a hub of OCM or of a cloud has it. */
export function profileObject(
  namespace: string,
  name: string,
  more: Partial<ProfileObject> = {},
): ProfileObject {
  return {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterProfile',
    metadata: { namespace, name, uid: `uid-of-${namespace}-${name}` },
    spec: { clusterManager: { name: 'tests' }, displayName: name },
    status: {
      version: { kubernetes: '1.34.1' },
      conditions: [
        {
          type: 'ControlPlaneHealthy',
          status: 'True',
          lastTransitionTime: '2026-01-01T00:00:00Z',
          reason: 'Healthy',
          message: 'ok',
        },
      ],
      accessProviders: [{ name: 'google', cluster: { server: `https://${name}.example.com` } }],
    },
    ...more,
  };
}

function keyOf({ metadata }: ProfileObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** Only `KEY=VALUE`, several with commas. */
function selector(text: string | undefined): (object: ProfileObject) => boolean {
  const wanted = (text ?? '')
    .split(',')
    .filter((part) => part !== '')
    .map((part) => part.split('='));
  return ({ metadata }) => wanted.every(([key = '', value]) => metadata.labels?.[key] === value);
}

function send({ response, namespace, apiVersion, matches }: Watcher, { type, object }: HubEvent): void {
  if ((namespace === null || object.metadata.namespace === namespace) && matches(object)) {
    response.write(
      `${JSON.stringify({ type, object: { ...object, apiVersion, kind: 'ClusterProfile' } })}\n`,
    );
  }
}

function misbehave(response: ServerResponse, fault: HubFault): void {
  switch (fault.kind) {
    case 'status':
      for (const [name, value] of Object.entries(fault.headers ?? {})) {
        response.setHeader(name, value);
      }
      answer(response, fault.status, failure(fault.status, 'Told', fault.message ?? 'told so'));
      break;
    case 'hangUp':
      response.destroy();
      break;
    case 'body':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(fault.body);
      break;
    case 'silent':
      break;
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** An API server with these profiles that takes the bot’s token; config.yaml has it as the cluster `hub`. */
export async function addHub(
  config: StageConfig,
  { home, botToken }: Parameters<NonNullable<StageOptions['extend']>>[1],
  hub: InventoryHub,
): Promise<KubernetesApi> {
  const api = await startKubernetesApi({
    staticTokens: { [botToken]: { name: 'bot', groups: [] } },
    more: hub,
  });
  const certificateAuthority = home.write('hub-ca.pem', api.caPem);
  config.clusters['hub'] = { server: api.server, certificateAuthority, account: 'bot' };
  return api;
}
