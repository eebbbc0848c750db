import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeEach, vi } from 'vitest';

type Held = 'rename' | 'open' | 'unlink';

/**
 * Within each test of the file, `refuse` is asked before these calls of the file system: it throws what the system
 * says of a file that another program holds.
 */
export function askBefore(names: readonly Held[], refuse: (name: Held) => void): void {
  beforeEach(() => {
    for (const name of names) {
      const real = fs[name] as (...args: unknown[]) => Promise<unknown>;
      vi.spyOn(fs, name).mockImplementation((async (...args: unknown[]) => {
        refuse(name);
        return real(...args);
      }) as never);
    }
    syncBuiltinESMExports();
  });
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
}
