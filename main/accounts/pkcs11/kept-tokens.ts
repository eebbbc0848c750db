import type { Disposable } from '../../base/disposables.ts';
import { createListeners } from '../../base/listeners.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { LoadedAccount } from '../../domain/loaded-config.ts';
import type { Account } from '../../ports/account.ts';
import type { HeldKeys, OpenedKey } from '../../ports/held-keys.ts';
import { KeptToken, type KeptTokenDeps, type OpenedToken } from './kept-token.ts';
import { KeysProcess } from './keys-process.ts';
import { logInToToken } from './log-in-to-token.ts';

export interface KeptTokensDeps
  extends Omit<KeptTokenDeps, 'account' | 'config' | 'startKeys' | 'onChange' | 'onRemoved'> {
  /** The file of lanyard-keys; absolute. */
  keysProgram: string;
  /** The account, where it is approved and usable. */
  usable(name: string): { ok: true; account: Account } | Refusal;
  /** Its approved form. */
  loaded(name: string): LoadedAccount | undefined;
  /** Its token was taken out: what was obtained of it counts no more. */
  onRemoved(account: string): void;
}

/** The tokens of all accounts of kind pkcs11: one process each. */
export interface KeptTokens extends HeldKeys, Disposable {
  /** The account’s token; nothing is started before it is used. */
  of(account: LoadedAccount): KeptToken;
  /** The account was changed or removed: its PIN is wiped. */
  end(account: string): void;
  /** Ends those whose account isn’t approved any more. */
  refresh(): void;
  /** Lanyard is locked: all PINs are wiped, all processes end. */
  lock(): void;
}

export function createKeptTokens(deps: KeptTokensDeps): KeptTokens {
  const tokens = new Map<string, { shape: string; token: KeptToken }>();
  const listeners = createListeners<[string]>();
  const end = (name: string) => {
    tokens.get(name)?.token.end();
    tokens.delete(name);
  };
  const endAll = () => [...tokens.keys()].forEach(end);
  const of = (account: LoadedAccount): KeptToken => {
    const { name, config } = account;
    if (!('pkcs11' in config)) {
      throw new BrokerError('account.kind', `account ${name} has no token`);
    }
    // Another reading of the same configuration is the same token.
    const shape = JSON.stringify(config);
    const known = tokens.get(name);
    if (known?.shape === shape) {
      return known.token;
    }
    end(name);
    const token = new KeptToken({
      ...deps,
      account,
      config: config.pkcs11,
      startKeys: (watch) => KeysProcess.start({ ...watch, program: deps.keysProgram, clock: deps.clock }),
      onChange: () => listeners.tell(name),
      onRemoved: () => deps.onRemoved(name),
    });
    tokens.set(name, { shape, token });
    return token;
  };
  const tokenOf = (name: string): { ok: true; token: KeptToken } | Refusal => {
    const found = deps.usable(name);
    const loaded = deps.loaded(name);
    if (!found.ok) {
      return found;
    }
    return loaded && 'pkcs11' in loaded.config
      ? { ok: true, token: of(loaded) }
      : refuse('notPermitted', 'pkcs11.kind', `the account ${name} has no token`);
  };
  return {
    of,
    fault(name) {
      const found = tokenOf(name);
      return found.ok ? found.token.trouble : found;
    },
    async open(name) {
      const found = tokenOf(name);
      const opened = found.ok ? await found.token.open() : found;
      return opened.ok ? openedKey(name, opened.opened) : opened;
    },
    async logIn(name, prompter, signal) {
      const found = tokenOf(name);
      const opened = found.ok ? await logInToToken(name, found.token, prompter, signal) : found;
      return opened.ok ? { ...openedKey(name, opened.opened), asked: opened.asked } : opened;
    },
    async sign(name, { scheme, message }, signal) {
      const found = tokenOf(name);
      return found.ok ? found.token.sign(scheme, message, signal) : found;
    },
    onChange: listeners.add,
    end,
    refresh() {
      for (const name of [...tokens.keys()]) {
        if (!deps.usable(name).ok) {
          end(name);
        }
      }
    },
    lock: endAll,
    dispose: endAll,
  };
}

function openedKey(account: string, { chainPem, schemes, life }: OpenedToken): OpenedKey & { ok: true } {
  return { ok: true, certificate: { chainPem, keyPem: null, account, schemes }, life };
}
