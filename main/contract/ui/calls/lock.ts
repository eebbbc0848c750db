import { z } from 'zod';
import { defineCalls } from '../call.ts';

export const lockCalls = defineCalls({
  /** Locks. Resolves when key and credentials have left memory, after 10 s at most. */
  'lock.close': { input: z.object({}), output: z.object({}) },
  /**
   * Opens a gate, or tries the keychain again. Where only a passphrase opens the vault: a refusal whose hint tells how
   * (`lanyard unlock`, or `window.open` with `unlock`). In the desktop app, the system or a dialog checks with the user
   * first: resolves when that is open, and the state reports the rest.
   */
  'lock.open': { input: z.object({}), output: z.object({}) },
});
