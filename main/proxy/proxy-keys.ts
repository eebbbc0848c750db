import { randomBytes } from 'node:crypto';
import { Secret } from '../base/secret.ts';
import { SingleFlight } from '../base/single-flight.ts';
import type { ProxyPlace } from '../domain/proxy/client-view.ts';
import type { RequestProxyKeys, Vault } from '../ports/vault.ts';
import type { KeyPair } from './data-plane.ts';

export interface ProxyKeysDeps {
  vault: Pick<Vault, 'read' | 'update' | 'state'>;
  /** A new CA. */
  issueAuthority(): Promise<KeyPair>;
  choosePort(): number;
}

/** What the vault has of the request proxy: made with the first proxied cluster. All but `place` throw while it is locked. */
export class ProxyKeys {
  readonly #deps: ProxyKeysDeps;
  readonly #making = new SingleFlight<'keys', RequestProxyKeys>();

  constructor(deps: ProxyKeysDeps) {
    this.#deps = deps;
  }

  /** Where clients find the proxy; null: it never was needed, or the vault isn’t open. */
  place(): ProxyPlace | null {
    const { vault } = this.#deps;
    const keys = vault.state().kind === 'open' ? vault.read().requestProxy : undefined;
    return keys ? { port: keys.port, certificate: keys.authority.certificate } : null;
  }

  async ensure(): Promise<RequestProxyKeys> {
    return this.#deps.vault.read().requestProxy ?? (await this.#making.run('keys', () => this.#make()));
  }

  setPort(port: number): Promise<void> {
    return this.#change((keys) => ({ ...keys, port }));
  }

  /** Ends all ways in. */
  replaceKey(): Promise<void> {
    return this.#change((keys) => ({ ...keys, key: newKey() }));
  }

  /** The random part of a cluster’s epoch; null: it has none. */
  epoch(cluster: string): string | null {
    const epochs = this.#deps.vault.read().requestProxy?.epochs ?? {};
    return Object.hasOwn(epochs, cluster) ? (epochs[cluster] ?? null) : null;
  }

  async ensureEpoch(cluster: string): Promise<string> {
    const known = this.epoch(cluster);
    if (known !== null) {
      return known;
    }
    const fresh = randomBytes(9).toString('base64url');
    await this.#change((keys) =>
      Object.hasOwn(keys.epochs, cluster) ? keys : { ...keys, epochs: { ...keys.epochs, [cluster]: fresh } },
    );
    return this.epoch(cluster) ?? fresh;
  }

  /** The approvals of all other clusters were taken back: their ways in never count again. */
  async keepEpochs(approved: (cluster: string) => boolean): Promise<void> {
    const epochs = this.#deps.vault.read().requestProxy?.epochs ?? {};
    if (Object.keys(epochs).every(approved)) {
      return;
    }
    await this.#change((keys) => ({
      ...keys,
      epochs: Object.fromEntries(Object.entries(keys.epochs).filter(([cluster]) => approved(cluster))),
    }));
  }

  async #make(): Promise<RequestProxyKeys> {
    const { vault, issueAuthority, choosePort } = this.#deps;
    const authority = await issueAuthority();
    const keys: RequestProxyKeys = { port: choosePort(), authority, key: newKey(), epochs: {} };
    await vault.update((content) => ({ ...content, requestProxy: content.requestProxy ?? keys }));
    return vault.read().requestProxy ?? keys;
  }

  async #change(change: (keys: RequestProxyKeys) => RequestProxyKeys): Promise<void> {
    await this.#deps.vault.update((content) =>
      content.requestProxy ? { ...content, requestProxy: change(content.requestProxy) } : content,
    );
  }
}

function newKey(): Secret {
  return new Secret(randomBytes(32).toString('base64'));
}
