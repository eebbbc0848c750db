import type { BoundSettings } from '../contract/config/settings.ts';
import { durationMilliseconds } from '../contract/duration.ts';
import { approvedSettings } from '../domain/approval/binding.ts';
import { narrowedSettings } from '../domain/approval/narrowing.ts';
import type { LoadedConfig } from '../ports/config-store.ts';
import type { Confirmed } from '../ports/vault.ts';
import type { ServedConfigDeps } from './served-config.ts';

interface Known {
  confirmed: Confirmed['settings'];
  file: LoadedConfig['settings'];
  settings: BoundSettings;
  idleLimit: number | null;
}

/** The settings that need an approval, as they apply. */
export class ServedSettings {
  readonly #deps: ServedConfigDeps;
  #last: Known | null = null;

  constructor(deps: ServedConfigDeps) {
    this.#deps = deps;
  }

  /**
   * The approved settings, narrowed by what the file says; the last known ones while the vault isn't open, and null
   * before it was opened.
   */
  settings(): BoundSettings | null {
    if (this.#deps.vault.state().kind === 'open') {
      const { settings: confirmed } = this.#deps.vault.read().confirmed;
      const { settings: file } = this.#deps.config.current();
      if (this.#last?.confirmed !== confirmed || this.#last.file !== file) {
        const settings = narrowedSettings(approvedSettings(confirmed), file);
        const { afterIdle } = settings.lock;
        // Needed with each request: read once.
        const idleLimit = afterIdle === undefined ? null : durationMilliseconds(afterIdle);
        this.#last = { confirmed, file, settings, idleLimit };
      }
    }
    return this.#last?.settings ?? null;
  }

  /** `lock.afterIdle` as it applies, in milliseconds; null: never, or the vault isn't open. */
  idleLimit(): number | null {
    this.settings();
    return this.#deps.vault.state().kind === 'open' ? (this.#last?.idleLimit ?? null) : null;
  }

  /** `lock.withScreen` as it applies. */
  locksWithScreen(): boolean {
    return this.settings()?.lock.withScreen === true;
  }
}
