import type { Disposable } from '../base/disposables.ts';
import type { Log } from '../ports/log.ts';
import type { VaultState } from '../ports/vault.ts';
import { loginMark, type VaultHeader } from './format.ts';
import { forget, type OpenedGeneration } from './generation.ts';
import { slotOf, waysOf } from './load.ts';
import { errorOf, refusalOf, type ShutState } from './shut-state.ts';
import type { VaultChanged } from './vault-control.ts';

/** `gated`: the user closed a vault that only the keychain protects. Key and content stay in memory. */
type Phase = OpenedGeneration | { kind: 'shut'; state: ShutState; gated: OpenedGeneration | null };

/** Whether a vault is open, what of it is in memory, and the listeners for changes. */
export class VaultPhase {
  readonly #log: Log;
  readonly #listeners = new Set<() => void>();
  #phase: Phase = { kind: 'shut', state: { kind: 'none', reason: 'it was not opened yet' }, gated: null };
  /** The last that was read or written. The same object as an opened generation: a write changes its header. */
  #last: Pick<OpenedGeneration, 'header'> | null = null;
  #ended = false;

  constructor(log: Log) {
    this.#log = log;
  }

  get now(): Phase {
    return this.#phase;
  }

  state(): VaultState {
    if (this.#phase.kind === 'shut') {
      return this.#phase.state;
    }
    const { slots, generation } = this.#phase.header;
    return { kind: 'open', slots: slots.map(({ kind }) => kind), generation };
  }

  /** Throws BrokerError while it isn't open. */
  opened(): OpenedGeneration {
    if (this.#phase.kind === 'shut') {
      throw errorOf(this.#phase.state);
    }
    return this.#phase;
  }

  /** The result of an attempt to open it. */
  outcome(): VaultChanged {
    return this.#phase.kind === 'opened' ? { ok: true } : refusalOf(this.#phase.state);
  }

  /** What opens a locked vault next; null where it isn’t locked. */
  how(): string | null {
    const state = this.state();
    return state.kind === 'locked' ? state.how : null;
  }

  open(opened: OpenedGeneration): void {
    if (this.#ended) {
      forget(opened);
      return;
    }
    this.#log.info('vault.open', { generation: opened.header.generation });
    this.#last = opened;
    this.#change(opened);
  }

  /** Closes an open vault and returns what was open. */
  close(reason: string): OpenedGeneration | null {
    const opened = this.#phase;
    if (opened.kind !== 'opened') {
      return null;
    }
    this.closeAs(opened, reason);
    return opened;
  }

  /** Closes as the slots of `opened` say: with a passphrase nothing stays here, with the keychain alone a gate does. */
  closeAs(opened: OpenedGeneration, reason: string): void {
    const how = howToOpen(opened);
    this.shut({ kind: 'locked', how, reason, ways: waysOf(opened.header) }, how === 'gate' ? opened : null);
  }

  /** A locked vault’s header is known before it is opened. */
  know(header: VaultHeader): void {
    this.#last = { header };
  }

  /** As `Vault.hasRegistryLogin`. */
  hasRegistryLogin(serverKey: string): boolean {
    const { kind } = this.state();
    if (kind === 'none' || kind === 'broken') {
      return kind === 'broken';
    }
    if (!this.#last) {
      return true;
    }
    const { id, logins = [] } = this.#last.header;
    return logins.includes(loginMark(id, serverKey));
  }

  shut(state: ShutState, gated: OpenedGeneration | null = null): void {
    this.#log[state.kind === 'broken' ? 'error' : 'info'](`vault.${state.kind}`, { ...state });
    this.#change({ kind: 'shut', state, gated });
  }

  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /** From now on nothing opens it. Returns what was in memory. */
  end(): OpenedGeneration | null {
    this.#listeners.clear();
    this.#ended = true;
    const phase = this.#phase;
    this.shut({ kind: 'locked', how: 'gate', reason: 'the agent is ending' });
    return phase.kind === 'opened' ? phase : phase.gated;
  }

  #change(phase: Phase): void {
    this.#phase = phase;
    for (const listener of [...this.#listeners]) {
      listener();
    }
  }
}

/** What opens it after it was locked on purpose. */
export function howToOpen({ header }: OpenedGeneration): 'passphrase' | 'gate' {
  return slotOf(header, 'passphrase') ? 'passphrase' : 'gate';
}
