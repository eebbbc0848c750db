import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { Clock } from '../../ports/clock.ts';
import { KeysProcess, type LibraryView, loadMilliseconds } from './keys-process.ts';
import type { ModuleOrder } from './prepare-module.ts';
import type { SlotView } from './slot-view.ts';
import { moduleRefusal } from './token-words.ts';

export interface ListModuleDeps {
  /** The file of lanyard-keys; absolute. */
  keysProgram: string;
  clock: Pick<Clock, 'after'>;
}

/** What a module says of itself and its slots. All texts are its own: untrusted. */
export interface ListedModule {
  library: LibraryView;
  slots: readonly SlotView[];
}

/** Lists what is to be seen of a module without a login. Never rejects. */
export type ListModule = (
  order: ModuleOrder,
  signal: AbortSignal,
) => Promise<({ ok: true } & ListedModule) | Refusal>;

/** A slow card reads its certificates, and there may be several. */
const listMilliseconds = 40_000;
/** The longest that it takes. */
export const longestListSeconds = (loadMilliseconds + listMilliseconds) / 1_000;

/** In a process of its own: a module that hangs is ended with it, and one that nobody waits for any more. */
export function createListModule({ keysProgram, clock }: ListModuleDeps): ListModule {
  return async ({ module, sha256, environment }, signal) => {
    const keys = await KeysProcess.start({
      program: keysProgram,
      environment,
      clock,
      onRemoved: () => undefined,
    }).catch(() => null);
    if (keys === null) {
      return refuse('internal', 'pkcs11.start', 'lanyard-keys can’t be started', 'install Lanyard again');
    }
    const kill = () => keys.kill();
    signal.addEventListener('abort', kill, { once: true });
    if (signal.aborted) {
      kill();
    }
    try {
      const loaded = await keys.order({ do: 'load', module, sha256 }, loadMilliseconds);
      if (loaded.tell !== 'loaded') {
        return moduleRefusal(module, loaded, loadMilliseconds / 1_000);
      }
      const listed = await keys.order({ do: 'list' }, listMilliseconds);
      return listed.tell === 'tokens'
        ? { ok: true, library: loaded.library, slots: listed.slots }
        : moduleRefusal(module, listed, listMilliseconds / 1_000);
    } finally {
      signal.removeEventListener('abort', kill);
      keys.end();
    }
  };
}
