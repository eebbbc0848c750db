import { SerialQueue } from '../../base/serial-queue.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Keychain } from '../../ports/keychain.ts';
import { type KeychainFailure, keychainFailure } from './keychain-failure.ts';

/** The part of keytar that is used. */
interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>;
  setPassword(service: string, account: string, password: string): Promise<void>;
  deletePassword(service: string, account: string): Promise<boolean>;
}

export interface KeychainDependencies {
  /** Loads keytar; only at the first call, for it isn't there everywhere and costs time at start. */
  load?: () => Promise<unknown>;
  /** How long one call may take, in milliseconds: it may wait for the user in an unlock dialog. */
  limitMilliseconds: number;
  clock: Pick<Clock, 'after'>;
}

/**
 * The system's keychain through keytar, an optional dependency. Secret Service answers null for a locked keyring
 * (parts: keytar 7.9), so `value: null` doesn't mean that there never was a key.
 *
 * One call at a time. A call that takes longer than its limit is answered `timedOut`, and so is every further
 * one until it ends: each that hangs would take one of libuv's four threads from the whole process.
 */
export function createKeychain({ load, limitMilliseconds, clock }: KeychainDependencies): Keychain {
  const queue = new SerialQueue();
  let hanging = false;
  let loading: Promise<Keytar> | null = null;

  const library = () => {
    loading ??= (load ?? (() => import('keytar')))().then(asKeytar);
    return loading;
  };

  function call<T>(work: (keytar: Keytar) => Promise<T>): Promise<{ ok: true; value: T } | KeychainFailure> {
    return queue.run(async () => {
      if (hanging) {
        return timedOut('an earlier call to the keychain has not ended yet');
      }
      const answer = library()
        .then(work)
        .then((value) => ({ ok: true as const, value }), keychainFailure);
      hanging = true;
      void answer.then(() => {
        hanging = false;
      });
      return within(answer);
    });
  }

  function within<T>(answer: Promise<T>): Promise<T | KeychainFailure> {
    return new Promise((resolve) => {
      const limit = clock.after(limitMilliseconds, () =>
        resolve(timedOut('the keychain did not answer; it may wait for you to unlock it')),
      );
      void answer.then((value) => {
        void limit.dispose();
        resolve(value);
      });
    });
  }

  return {
    get: (service, name) => call((keytar) => keytar.getPassword(service, name)),
    set: (service, name, value) => call((keytar) => keytar.setPassword(service, name, value)),
    delete: (service, name) => call((keytar) => keytar.deletePassword(service, name)),
  };
}

function timedOut(message: string): KeychainFailure {
  return { ok: false, reason: 'timedOut', message };
}

/** CommonJS through `import()`: the functions are on the default export. */
function asKeytar(loaded: unknown): Keytar {
  for (const candidate of [loaded, (loaded as { default?: unknown } | null)?.default]) {
    if (isKeytar(candidate)) {
      return candidate;
    }
  }
  throw new Error('keytar has not the functions that are expected of it');
}

function isKeytar(value: unknown): value is Keytar {
  const names = ['getPassword', 'setPassword', 'deletePassword'] as const;
  return (
    typeof value === 'object' &&
    value !== null &&
    names.every((name) => typeof (value as Partial<Keytar>)[name] === 'function')
  );
}
