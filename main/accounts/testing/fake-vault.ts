import { BrokerError } from '../../contract/broker-error.ts';
import type { Vault, VaultContent, VaultState } from '../../ports/vault.ts';
import { emptyContent } from '../../vault/content.ts';

/** One write, in the order they were made. */
export interface VaultWrite {
  content: VaultContent;
  bothGenerations: boolean;
}

/** A vault in memory that remembers its writes. `content` may be set; `locked` makes calls throw as the real one does. */
export class FakeVault implements Vault {
  content: VaultContent;
  locked = false;
  readonly writes: VaultWrite[] = [];
  /** Called before each write is made; what it throws makes the write fail. */
  beforeWrite: (next: VaultContent) => void | Promise<void> = () => undefined;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(content: Partial<VaultContent> = {}) {
    this.content = { ...emptyContent, ...content };
  }

  state(): VaultState {
    return this.locked
      ? { kind: 'locked', how: 'gate', reason: 'locked by a person' }
      : { kind: 'open', slots: ['passphrase'], generation: this.writes.length };
  }

  hasRegistryLogin(serverKey: string): boolean {
    return Object.hasOwn(this.content.registryLogins, serverKey);
  }

  read(): VaultContent {
    if (this.locked) {
      throw new BrokerError('vault.locked', 'lanyard is locked', {
        reason: 'locked',
        hint: 'lanyard unlock',
      });
    }
    return this.content;
  }

  update(
    next: (content: VaultContent) => VaultContent,
    options: { bothGenerations?: boolean } = {},
  ): Promise<void> {
    const write = this.#tail.then(async () => {
      const content = next(this.read());
      await this.beforeWrite(content);
      this.content = content;
      this.writes.push({ content, bothGenerations: options.bothGenerations ?? false });
    });
    this.#tail = write.catch(() => undefined);
    return write;
  }
}
