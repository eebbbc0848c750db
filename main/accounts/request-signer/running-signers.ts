import type { Disposable } from '../../base/disposables.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { LoadedAccount } from '../../domain/loaded-config.ts';
import type { Account } from '../../ports/account.ts';
import type { RequestSigners } from '../../ports/request-signers.ts';
import { KeptSigner, type KeptSignerDeps } from './kept-signer.ts';

export interface RunningSignersDeps extends Omit<KeptSignerDeps, 'account' | 'config'> {
  /** The account, where it is approved and usable. */
  account(name: string): { ok: true; account: Account } | Refusal;
  /** Its approved form. */
  loaded(name: string): LoadedAccount | undefined;
}

export interface RunningSigners extends RequestSigners, Disposable {
  /** The account was changed or removed, or has other secrets: its next request starts the program anew. */
  end(account: string): void;
  /** Ends those whose account isn’t approved any more. */
  refresh(): void;
}

/** The programs that sign requests: one for each account. */
export function createRunningSigners(deps: RunningSignersDeps): RunningSigners {
  const signers = new Map<string, KeptSigner>();
  const signerOf = (name: string): KeptSigner | Refusal => {
    const found = deps.account(name);
    const loaded = deps.loaded(name);
    if (!found.ok) {
      return found;
    }
    if (!loaded || !('requestSigner' in loaded.config)) {
      return refuse(
        'notPermitted',
        'requestSigner.kind',
        `the account ${name} is no program that signs requests`,
      );
    }
    const known = signers.get(name);
    if (known) {
      return known;
    }
    const signer = new KeptSigner({ ...deps, account: loaded, config: loaded.config.requestSigner });
    signers.set(name, signer);
    return signer;
  };
  const end = (name: string) => {
    signers.get(name)?.end();
    signers.delete(name);
  };
  const endAll = () => [...signers.keys()].forEach(end);
  return {
    async sign(name, request, signal) {
      const signer = signerOf(name);
      return 'ok' in signer ? signer : signer.sign(request, signal);
    },
    end,
    endAll,
    refresh() {
      for (const name of signers.keys()) {
        if (!deps.account(name).ok) {
          end(name);
        }
      }
    },
    dispose: endAll,
  };
}
