import type { Disposable } from '../base/disposables.ts';
import type { Log } from '../ports/log.ts';
import type { VaultState } from '../ports/vault.ts';
import { forget, type OpenedGeneration } from './generation.ts';
import { slotOf, waysOf } from './load.ts';
import { errorOf, refusalOf, type ShutState } from './shut-state.ts';
import type { VaultChanged } from './vault-control.ts';

/** `gated`: closed by a person where only the keychain protects it; key and content are still here. */
type Phase = OpenedGeneration | { kind: 'shut'; state: ShutState; gated: OpenedGeneration | null };

/** Whether a vault is open, what of it is in memory, and who wants to hear when that changes. */
export class VaultPhase {
  readonly #log: Log;
  readonly #listeners = new Set<() => void>();
  #phase: Phase = { kind: 'shut', state: { kind: 'none', reason: 'it was not opened yet' }, gated: null };
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

  /** What became of an attempt to open it. */
  outcome(): VaultChanged {
    return this.#phase.kind === 'opened' ? { ok: true } : refusalOf(this.#phase.state);
  }

  /** How a vault that is locked is opened; null for one that isn't. */
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
    this.#change(opened);
  }

  /** Shuts an open vault; hands back what was open. */
  close(reason: string): OpenedGeneration | null {
    const opened = this.#phase;
    if (opened.kind !== 'opened') {
      return null;
    }
    this.closeAs(opened, reason);
    return opened;
  }

  /** Shut by what opens `opened`: a passphrase takes it out of here, the keychain alone leaves a gate. */
  closeAs(opened: OpenedGeneration, reason: string): void {
    const how = howToOpen(opened);
    this.shut({ kind: 'locked', how, reason, ways: waysOf(opened.header) }, how === 'gate' ? opened : null);
  }

  shut(state: ShutState, gated: OpenedGeneration | null = null): void {
    this.#log[state.kind === 'broken' ? 'error' : 'info'](`vault.${state.kind}`, { ...state });
    this.#change({ kind: 'shut', state, gated });
  }

  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /** Nothing opens it any more. Hands back what was in memory. */
  end(): OpenedGeneration | null {
    this.#listeners.clear();
    this.#ended = true;
    const phase = this.#phase;
    this.shut({ kind: 'locked', how: 'gate', reason: 'the broker is ending' });
    return phase.kind === 'opened' ? phase : phase.gated;
  }

  #change(phase: Phase): void {
    this.#phase = phase;
    for (const listener of [...this.#listeners]) {
      listener();
    }
  }
}

/** What opens it once it was locked on purpose. */
export function howToOpen({ header }: OpenedGeneration): 'passphrase' | 'gate' {
  return slotOf(header, 'passphrase') ? 'passphrase' : 'gate';
}
