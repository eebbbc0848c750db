import { z } from 'zod';
import { defineCalls } from '../call.ts';

export const lockCalls = defineCalls({
  /** Locks; resolves when nothing is held in memory any more (10 s at most). */
  'lock.close': { input: z.object({}), output: z.object({}) },
  /**
   * Opens the gate, and asks the keychain where that has the key. Where only a passphrase opens it: a refusal whose hint
   * says what does (`lanyard unlock`, or `window.open` with `unlock`). In the desktop app the system or a dialog asks the
   * person first; it resolves when that has been opened, and the state says the rest.
   */
  'lock.open': { input: z.object({}), output: z.object({}) },
});
