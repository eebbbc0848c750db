import type { Disposable } from '../base/disposables.ts';
import type { Secret } from '../base/secret.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { SingleFlight } from '../base/single-flight.ts';
import { BrokerError, refusalError, toRefusal } from '../contract/broker-error.ts';
import type { ClientListenerConfig } from '../contract/config/proxy.ts';
import connectionFaults from '../contract/connection-faults.json' with { type: 'json' };
import { inOneLine, type Refusal, refuse } from '../contract/refusal.ts';
import type { TriedRequest } from '../contract/tried-request.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import { asClientsSee, type ProxyPlace } from '../domain/proxy/client-view.ts';
import { clusterTarget } from '../domain/target/cluster-target.ts';
import { isHandshakeText } from '../domain/tls/handshake-text.ts';
import type { ProxyEnvironment } from '../platform/network/choose-proxy.ts';
import type { Credential } from '../ports/account.ts';
import type { Directory, Gate } from '../ports/broker-core.ts';
import type { Caller } from '../ports/caller.ts';
import type { ClientProcesses } from '../ports/client-processes.ts';
import type { Clock } from '../ports/clock.ts';
import type { HeldKeys } from '../ports/held-keys.ts';
import type { Recorder } from '../ports/history.ts';
import type { Log } from '../ports/log.ts';
import type { PeerIdentity } from '../ports/peer-identity.ts';
import type {
  ClientListener,
  ClientListenerView,
  ProxiedRequest,
  ProxyCaller,
  ProxyEntrance,
  ProxyObserver,
  RequestProxy,
} from '../ports/request-proxy.ts';
import type { RequestSigners } from '../ports/request-signers.ts';
import type { Vault } from '../ports/vault.ts';
import { callerOfProcess } from './caller-of-process.ts';
import { Chains, type ChainsDeps } from './chains.ts';
import { ClientListeners } from './client-listeners.ts';
import { DataPlane, issueCertificates, type Tell } from './data-plane.ts';
import { ListenerLeaf } from './listener-leaf.ts';
import { ProxyClients } from './proxy-clients.ts';
import { ProxyKeys } from './proxy-keys.ts';
import { choosePort } from './rules/choose-port.ts';
import { epochOf } from './rules/epoch.ts';
import { statusOf } from './rules/refusal-answer.ts';
import { mintWayIn } from './rules/way-in.ts';
import { wayInMilliseconds } from './rules/way-in-life.ts';
import { StatedClusters } from './stated-clusters.ts';

export interface RequestProxyDeps {
  /** The file of lanyard-proxy; absolute. */
  program: string;
  platform: NodeJS.Platform;
  vault: Pick<Vault, 'read' | 'update' | 'state'>;
  directory: Pick<Directory, 'account' | 'cluster' | 'clusters'>;
  grants: ChainsDeps['grants'];
  gate: Gate;
  recorder: Recorder;
  observer: ProxyObserver;
  clock: Clock;
  log: Log;
  identity: Pick<PeerIdentity, 'brief' | 'process' | 'ownPid'>;
  processes: ClientProcesses;
  environment: ProxyEnvironment;
  /** The programs that sign requests. */
  signers: RequestSigners;
  /** The keys that stay on their tokens. */
  heldKeys: Pick<HeldKeys, 'sign'>;
  /** Where the processes that may use it are stored. */
  clientsFile: string;
  /** Where Unix sockets of one client’s own are; absolute. */
  socketFolder: string;
  /** `ip_local_port_range` of the system; null: unknown. */
  ephemeralPorts(): string | null;
  /** Another port is used from now on: kubeconfigs have the old one. */
  onMoved(): void;
  /** From 0 up to 1; default: Math.random. */
  random?(): number;
}

/** How often it is looked whether anyone still needs it, in milliseconds. */
const lookMilliseconds = 30_000;
/** It ends when no client has lived for this long (KEP-2718 names 5 minutes). */
const idleMilliseconds = 5 * 60_000;
/** At the lock, what is under way ends after this time. */
const graceMilliseconds = 10_000;
/** A program that signs, in milliseconds: less than the data plane waits. */
const signingMilliseconds = 55_000;
/** A signature of a handshake, in milliseconds: someone may have to touch a token. Less than the data plane waits. */
const handshakeMilliseconds = 60_000;
/** Ports that are tried before it is a fault. */
const mostPorts = 8;
/** After a crash it is started again after this time, doubled each time, in milliseconds. */
const again = { first: 200, longest: 30_000 };

/**
 * The control plane of the request proxy (docs/adr/0030): starts the data plane when a client needs it, tells it what it
 * may do, and ends it when nobody needs it.
 */
export class RequestProxyControl implements RequestProxy, ProxyEntrance, Disposable {
  readonly #deps: RequestProxyDeps;
  readonly #keys: ProxyKeys;
  readonly #clients: ProxyClients;
  readonly #chains: Chains;
  readonly #listeners: ClientListeners;
  readonly #starting = new SingleFlight<'start', DataPlane>();
  readonly #changes = new SerialQueue();
  readonly #stated: StatedClusters;
  readonly #leaf: ListenerLeaf;
  readonly #faults = new Map<string | null, string>();
  #plane: DataPlane | null = null;
  /** The CA of its certificate, PEM. */
  #authority: string | null = null;
  /** It has obeyed what it was told last: a client that comes before that would be refused. */
  #obeyed: Promise<unknown> = Promise.resolve();
  /** The end of the last one that was idle. */
  #ending = Promise.resolve();
  /** A lock ended the ways in of this key, and it isn’t replaced yet. */
  #keyHasEnded = false;
  #usedAt = 0;
  #crashes = 0;
  #ended = false;
  #look: Disposable | null = null;
  #restart: Disposable | null = null;

  constructor(deps: RequestProxyDeps) {
    this.#deps = deps;
    const { program, vault, clock, log, identity, clientsFile: file } = deps;
    this.#keys = new ProxyKeys({
      vault,
      issueAuthority: async () => (await issueCertificates(program, null)).authority,
      choosePort: () => this.#somePort(),
    });
    this.#clients = new ProxyClients({ file, identity, bootId: () => deps.processes.bootId(), clock, log });
    this.#leaf = new ListenerLeaf((authority) => issueCertificates(program, authority), clock);
    this.#listeners = new ClientListeners({
      ...deps,
      folder: deps.socketFolder,
      uid: process.getuid?.() ?? null,
    });
    this.#stated = new StatedClusters({ ...deps, keys: this.#keys });
    this.#chains = new Chains({
      ...deps,
      callerOf: (pid) => callerOfProcess(pid, identity),
      useCertificate: (cluster, certificate) => this.#useCertificate(cluster, certificate),
    });
  }

  /** Serves the clients of the last broker that still live. */
  async restore(): Promise<void> {
    await this.#clients.restore();
    await this.changed();
  }

  async place(): Promise<ProxyPlace> {
    const { port, authority } = await this.#keys.ensure();
    return { port, certificate: authority.certificate };
  }

  knownPlace(): ProxyPlace | null {
    return this.#keys.place();
  }

  async wayIn(
    cluster: LoadedCluster,
    client: ProxyCaller,
  ): Promise<{ token: Secret; expiresAt: number | null }> {
    // The data plane would refuse all that comes with it (native-helper/proxy/src/peer.rs, process.rs).
    if (this.#deps.platform !== 'linux') {
      throw new BrokerError(
        'proxy.system',
        'on this system the request proxy refuses all requests: it can’t tell whose a connection is',
        { reason: 'notPermitted', hint: `leave proxy out of ${cluster.name} in config.yaml` },
      );
    }
    const { clock, identity, processes } = this.#deps;
    const { pid, startTime } = client;
    const isOurs = pid === identity.ownPid();
    const lives = isOurs ? null : wayInMilliseconds(client, processes.facts(pid));
    await this.#keys.ensure();
    const random = await this.#keys.ensureEpoch(cluster.name);
    // Before it is looked whether it runs: it doesn’t end as idle from now on.
    this.#usedAt = clock.boottime();
    await this.#ensureRunning();
    this.#state();
    await this.#obeyed;
    const expiresAt = lives === null ? null : clock.boottime() + lives;
    if (!isOurs) {
      this.#clients.add(client, expiresAt);
    }
    const { key } = await this.#keys.ensure();
    const token = mintWayIn(key, {
      cluster: cluster.name,
      epoch: epochOf(random, clusterTarget(cluster).shape),
      ...{ pid, startTime, bootId: processes.bootId(), expiresAt },
    });
    return { token, expiresAt: lives === null ? null : clock.now() + lives };
  }

  async clientListener(
    { name }: LoadedCluster,
    { pid, startTime }: Pick<Caller, 'pid' | 'startTime'>,
    { lockFile, config }: { lockFile: string | null; config: ClientListenerConfig },
  ): Promise<ClientListener> {
    const plane = await this.#ensureRunning();
    const client = { cluster: name, pid, startTime, lockFile };
    const opened = await this.#listeners.open(plane, client, config);
    return { ...opened, certificateAuthority: (await this.#keys.ensure()).authority.certificate };
  }

  async ownWay(cluster: LoadedCluster): Promise<{ cluster: LoadedCluster; credential: Credential }> {
    const { gate, identity } = this.#deps;
    const locked = gate();
    if (locked) {
      throw refusalError(locked);
    }
    const pid = identity.ownPid();
    const startTime = identity.brief(pid)?.startTime ?? '';
    const { token } = await this.wayIn(cluster, { pid, startTime, executable: null });
    return {
      cluster: asClientsSee(cluster, await this.place()),
      credential: { token, certificate: null, issuedAt: null, expiresAt: null },
    };
  }

  obtained(cluster: LoadedCluster, { certificate }: Credential): void {
    this.#useCertificate(cluster, certificate);
  }

  /** The configuration, what is approved, or the lock has changed. */
  changed(): Promise<void> {
    return this.#changes
      .run(() => this.#applyChange())
      .catch((error: unknown) => this.#deps.log.warn('proxy.change', { error: String(error) }));
  }

  /** Credentials were forgotten: no request gets what it had of them. */
  forget(): void {
    this.#plane?.order({ do: 'forget' });
  }

  /** Lanyard is being locked: the listener says why, and all ways in have ended. */
  lock(refusal: Refusal): void {
    this.#plane?.order({ do: 'close', text: inOneLine(refusal), graceMilliseconds });
    this.#chains.forgetAll();
    this.#deps.signers.endAll();
    this.#leaf.forget();
    this.#stated.forgetCertificates();
    if (this.#deps.vault.state().kind === 'open') {
      this.#keyHasEnded = true;
      // Before the vault is closed: its changes are written in order.
      this.#replaceKey().catch((error: unknown) =>
        this.#deps.log.warn('proxy.key', { error: String(error) }),
      );
    }
  }

  running(): { port: number; pid: number } | null {
    return this.#plane && { port: this.#plane.port, pid: this.#plane.pid };
  }

  faults(): readonly { cluster: string | null; text: string }[] {
    return [...this.#faults].map(([cluster, text]) => ({ cluster, text }));
  }

  listeners(): readonly ClientListenerView[] {
    return this.#plane === null
      ? []
      : this.#listeners.all().map((each) => ({ ...each, program: this.#programOf(each.pid) }));
  }

  async requests(cluster: string | null): Promise<readonly ProxiedRequest[]> {
    const streams = (await this.#plane?.streams()) ?? [];
    const now = this.#deps.clock.now();
    return streams
      .filter((stream) => cluster === null || stream.cluster === cluster)
      .sort((a, b) => a.id - b.id)
      .map(({ id, cluster: name, pid, method, path, milliseconds, bytesUp, bytesDown }) => ({
        id,
        cluster: name,
        pid,
        program: this.#programOf(pid),
        method,
        path,
        bytesUp,
        bytesDown,
        startedAt: now - milliseconds,
      }));
  }

  /** Open connections of clients, when `requests` was asked last. */
  connections(): number {
    return this.#plane?.connections ?? 0;
  }

  async endRequest(id: number): Promise<{ ok: true } | Refusal> {
    const open = await this.requests(null);
    if (!open.some((request) => request.id === id)) {
      return refuse('notFound', 'proxy.request', `no request ${id} is under way`);
    }
    this.#plane?.order({ do: 'end', stream: id });
    return { ok: true };
  }

  async try(
    name: string,
    path: string,
    signal: AbortSignal,
  ): Promise<{ ok: true; tried: TriedRequest } | Refusal> {
    const { gate, directory, identity } = this.#deps;
    const found = gate() ?? directory.cluster(name);
    if (!found.ok) {
      return found;
    }
    if (found.cluster.config.proxy === undefined) {
      return refuse('notFound', 'proxy.none', `${name} doesn’t go through the request proxy`);
    }
    if (found.cluster.config.approval !== 'never') {
      return refuse(
        'notPermitted',
        'proxy.asks',
        `${name} asks you before a credential goes to it (approval), and a try doesn’t ask`,
        `use kubectl, and look at its requests: lanyard audit --requests --cluster ${name}`,
      );
    }
    try {
      // The data plane knows the cluster then.
      await this.ownWay(found.cluster);
      const plane = await this.#ensureRunning();
      const tried = await plane.try(name, { pid: identity.ownPid(), method: 'GET', path }, signal);
      return tried
        ? { ok: true, tried }
        : refuse('provider', 'proxy.try', 'the request proxy ended before it answered', 'try again');
    } catch (error) {
      return toRefusal(error);
    }
  }

  async dispose(): Promise<void> {
    this.#ended = true;
    this.#look?.dispose();
    this.#restart?.dispose();
    await this.#starting.settled();
    await this.#plane?.end();
    await this.#changes.drain();
    await this.#clients.dispose();
  }

  async #applyChange(): Promise<void> {
    const { vault, gate, directory } = this.#deps;
    if (this.#ended || vault.state().kind !== 'open') {
      return;
    }
    if (gate() !== null) {
      return;
    }
    await this.#followVault();
    if (this.#keyHasEnded) {
      await this.#replaceKey();
    }
    // Before the vault is written, which may fail: what is approved no more ends now.
    this.#state();
    const isServed = (name: string) => {
      const found = directory.cluster(name);
      return found.ok && found.cluster.config.proxy !== undefined;
    };
    await this.#keys.keepEpochs(isServed);
    if (this.#plane) {
      this.#listeners.keep(isServed, this.#plane);
      this.#state();
      this.#open(this.#plane);
    } else if (this.#clients.anyLives()) {
      await this.#ensureRunning();
    }
  }

  /** Another vault, such as a restored one, has another port or CA: clients are told of those from now on. */
  async #followVault(): Promise<void> {
    const plane = this.#plane;
    const place = this.#keys.place();
    if (plane && (place?.port !== plane.port || place.certificate !== this.#authority)) {
      this.#deps.log.info('proxy.vault', { pid: plane.pid });
      await this.#retire(plane);
      this.#deps.onMoved();
    }
  }

  /** Ends it on purpose. A start waits for it: both may have the same port. */
  #retire(plane: DataPlane): Promise<void> {
    this.#plane = null;
    this.#look?.dispose();
    this.#look = null;
    this.#ending = plane.end();
    return this.#ending;
  }

  async #ensureRunning(): Promise<DataPlane> {
    return this.#plane ?? this.#starting.run('start', () => this.#start());
  }

  async #start(): Promise<DataPlane> {
    const { program, clock, log } = this.#deps;
    if (this.#ended) {
      throw new BrokerError('proxy.start', 'Lanyard is ending');
    }
    try {
      await this.#ending;
      const keys = await this.#keys.ensure();
      const leaf = await this.#leaf.for(keys.authority);
      let { port } = keys;
      for (let tries = 1; ; tries++) {
        try {
          const plane = await DataPlane.start(
            { program, clock, hear: (told, from) => this.#hear(told, from) },
            { port, leaf },
          );
          if (port !== keys.port) {
            await this.#move(plane);
          }
          this.#authority = keys.authority.certificate;
          this.#started(plane);
          return plane;
        } catch (error) {
          if (!(error instanceof BrokerError && error.code === 'proxy.listen') || tries === mostPorts) {
            throw error;
          }
          log.warn('proxy.port', { port, error: error.message });
          port = this.#somePort();
        }
      }
    } catch (error) {
      this.#faults.set(null, toRefusal(error).message);
      this.#restartLater();
      throw error;
    }
  }

  /** Stored before it serves: kubeconfigs would have the old port. */
  async #move(plane: DataPlane): Promise<void> {
    try {
      await this.#keys.setPort(plane.port);
    } catch (error) {
      await plane.end();
      throw error;
    }
    this.#deps.onMoved();
  }

  #started(plane: DataPlane): void {
    const { clock, log, gate } = this.#deps;
    log.info('proxy.started', { port: plane.port, pid: plane.pid });
    this.#plane = plane;
    this.#stated.startAnew();
    this.#listeners.startAnew();
    this.#faults.clear();
    this.#usedAt = clock.boottime();
    this.#state();
    this.#open(plane);
    // Locked while it started.
    const locked = gate();
    if (locked) {
      plane.order({ do: 'close', text: inOneLine(locked), graceMilliseconds });
    }
    this.#lookLater();
    void plane.ended.then(() => this.#gone(plane));
  }

  /** It ended, as it was told to or not. */
  #gone(plane: DataPlane): void {
    if (this.#plane !== plane) {
      return;
    }
    this.#plane = null;
    this.#look?.dispose();
    this.#look = null;
    if (this.#ended) {
      return;
    }
    this.#deps.log.warn('proxy.ended', { pid: plane.pid });
    this.#deps.observer.crashed();
    this.#restartLater();
  }

  /** Clients that live have no reason to ask the helper again, which would start it. */
  #restartLater(): void {
    const { clock, gate } = this.#deps;
    if (this.#ended || gate() !== null || !this.#clients.anyLives()) {
      return;
    }
    this.#restart?.dispose();
    const wait = Math.min(again.longest, again.first * 2 ** this.#crashes);
    this.#crashes += 1;
    this.#restart = clock.after(wait, () => {
      void this.changed();
    });
  }

  /** Tells it the clusters that someone has a way into. */
  #state(): void {
    const plane = this.#plane;
    if (!plane || this.#deps.gate() !== null) {
      return;
    }
    const changes = this.#stated.changes();
    if (changes === null) {
      return;
    }
    // Those of an earlier statement are over; the data plane tells those of this one.
    for (const name of [...this.#faults.keys()].filter((each) => each !== null)) {
      this.#faults.delete(name);
    }
    for (const [name, text] of changes.faults) {
      this.#faults.set(name, text);
    }
    for (const order of changes.orders) {
      plane.order(order);
    }
    this.#obeyed = plane.streams();
  }

  /** Where it can’t be written, nothing is let in until it is. */
  async #replaceKey(): Promise<void> {
    await this.#keys.replaceKey();
    this.#keyHasEnded = false;
  }

  #open(plane: DataPlane): void {
    const isOpen = this.#deps.gate() === null && !this.#keyHasEnded;
    const keys = isOpen ? this.#deps.vault.read().requestProxy : undefined;
    if (keys) {
      plane.order({ do: 'open', key: keys.key.reveal() });
      this.#obeyed = plane.streams();
    }
  }

  #useCertificate(cluster: LoadedCluster, certificate: Credential['certificate']): void {
    if (this.#stated.useCertificate(cluster, certificate)) {
      this.#state();
    }
  }

  #hear(told: Tell, from: DataPlane): void {
    const { log } = this.#deps;
    switch (told.tell) {
      case 'need':
        void this.#answer(told, from);
        return;
      case 'fault':
        log.warn('proxy.fault', { cluster: told.cluster, text: told.text });
        this.#faults.set(told.cluster, told.text);
        return;
      case 'passed':
        this.#usedAt = this.#deps.clock.boottime();
        this.#crashes = 0;
        // An answer of the proxy’s own says nothing of the cluster.
        if (told.fault === null) {
          this.#chains.answered(told.stream.cluster, { ...told.stream, status: told.status });
        } else if (told.fault.endsWith(connectionFaults.clientCertificate)) {
          void this.#renewRefused(told.stream.cluster);
        }
        this.#passed(told);
        return;
      case 'lost':
        this.#deps.observer.lost(told.count);
        return;
      case 'listenerEnded':
        this.#listeners.ended(told.id, told.why);
        return;
      case 'sign':
        void this.#sign(told, from);
        return;
      case 'signHandshake':
        void this.#signHandshake(told, from);
        return;
      default:
        return;
    }
  }

  async #renewRefused(cluster: string): Promise<void> {
    if (await this.#chains.certificateRefused(cluster)) {
      this.forget();
    }
  }

  #passed({ status, fault, stream }: Extract<Tell, { tell: 'passed' }>): void {
    const { id: _, ...request } = stream;
    this.#deps.observer.passed({ ...request, status, fault, program: this.#programOf(request.pid) });
  }

  /** The broker’s own requests pass, too. */
  #programOf(pid: number): string | null {
    return this.#clients.find(pid)?.program ?? (pid === this.#deps.identity.ownPid() ? 'lanyard' : null);
  }

  /** To the run that asked: another one counts anew, and may ask under the same number for another cluster. */
  async #answer(
    { id, cluster, pid, rejected }: Extract<Tell, { tell: 'need' }>,
    from: DataPlane,
  ): Promise<void> {
    const given = await this.#chains.give(cluster, pid, rejected).catch(toRefusal);
    if (given.ok) {
      const { ok: _, ...chain } = given;
      from.order({ do: 'chain', id, ...chain });
    } else {
      from.order({ do: 'refuse', id, status: statusOf(given), text: inOneLine(given) });
    }
  }

  async #sign(
    { id, cluster, signer, request }: Extract<Tell, { tell: 'sign' }>,
    from: DataPlane,
  ): Promise<void> {
    const { gate, signers } = this.#deps;
    const signed =
      gate() ??
      (await signers.sign(signer, { cluster, ...request }, AbortSignal.timeout(signingMilliseconds)));
    if (signed.ok) {
      from.order({ do: 'signed', id, set: signed.headers });
    } else {
      from.order({ do: 'refuse', id, status: statusOf(signed), text: inOneLine(signed) });
    }
  }

  /** Only by the key of the cluster’s own account, which may have been changed meanwhile (rule: key-on-token). */
  async #signHandshake(
    { id, cluster, signer, scheme, message }: Extract<Tell, { tell: 'signHandshake' }>,
    from: DataPlane,
  ): Promise<void> {
    const signed = await this.#signatureFor(cluster, signer, scheme, Buffer.from(message, 'base64'));
    if (signed.ok) {
      from.order({ do: 'signature', id, signature: signed.signature.toString('base64') });
    } else {
      from.order({ do: 'refuse', id, status: statusOf(signed), text: inOneLine(signed) });
    }
  }

  async #signatureFor(
    cluster: string,
    signer: string,
    scheme: number,
    message: Buffer,
  ): ReturnType<HeldKeys['sign']> {
    const { gate, directory, heldKeys } = this.#deps;
    const mayNot = refuse(
      'notPermitted',
      'proxy.signer',
      `${cluster} connects with another account now`,
      'try again',
    );
    const found = gate() ?? directory.cluster(cluster);
    if (!found.ok) {
      return found;
    }
    if (found.cluster.config.account !== signer || !isHandshakeText(message)) {
      return refuse(
        'notPermitted',
        'proxy.signer',
        `${cluster} connects with another account now`,
        'try again',
      );
    }
    const signed = await heldKeys.sign(
      signer,
      { scheme, message },
      AbortSignal.timeout(handshakeMilliseconds),
    );
    // That took time: Lanyard may be locked now, or the cluster may be another.
    const again = gate() ?? directory.cluster(cluster);
    return again.ok && again.cluster.config.account !== signer ? mayNot : again.ok ? signed : again;
  }

  #lookLater(): void {
    this.#look = this.#deps.clock.after(lookMilliseconds, () => void this.#lookNow());
  }

  /** Ends it where nobody needs it, and gives its listener a new certificate in time. */
  async #lookNow(): Promise<void> {
    const { clock, log, vault, gate } = this.#deps;
    const plane = this.#plane;
    if (!plane || this.#ended) {
      return;
    }
    const isIdle = () => clock.boottime() - this.#usedAt > idleMilliseconds && !this.#clients.anyLives();
    // Again after the wait: a client may have come meanwhile.
    if (isIdle() && (await plane.streams()).length === 0 && isIdle() && this.#plane === plane) {
      log.info('proxy.idle', { pid: plane.pid });
      await this.#retire(plane);
      return;
    }
    const keys = gate() === null ? vault.read().requestProxy : undefined;
    if (keys) {
      const leaf = await this.#leaf.next(keys.authority);
      if (leaf) {
        plane.order({ do: 'leaf', certificate: leaf.certificate, key: leaf.key.reveal() });
      }
    }
    if (this.#plane === plane) {
      this.#lookLater();
    }
  }

  #somePort(): number {
    return choosePort(this.#deps.ephemeralPorts(), (this.#deps.random ?? Math.random)());
  }
}
