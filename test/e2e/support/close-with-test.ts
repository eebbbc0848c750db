import { onTestFinished } from 'vitest';

/** With the test that opened it; what was opened outside of one lives as long as the stage. */
export function closeWithTest(close: () => Promise<void>): void {
  try {
    onTestFinished(close);
  } catch {
    // Not in a test: in a hook.
  }
}
