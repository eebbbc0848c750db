import { useState } from 'react';
import type { TestFinding } from '../../../main/contract/ui/calls/finding.ts';
import type { UiFailure } from '../../../main/contract/ui/messages.ts';

/** A test of settings that aren’t saved, as `TestPanel` shows it. */
export interface ShownTest {
  busy: boolean;
  /** What it does at the moment; null: unknown. */
  doing: string | null;
  failure: UiFailure | null;
  findings: readonly TestFinding[] | null;
  /** The settings were changed since. */
  isOld: boolean;
}

/** The last answer of a test, and whether it is of the settings as they are now. `key`: stands for those. */
export function useTested<Answer>(key: string) {
  const [tested, setTested] = useState<{ key: string; answer: Answer } | null>(null);
  return {
    answer: tested?.answer ?? null,
    isOld: tested !== null && tested.key !== key,
    set: (answer: Answer | null) => setTested(answer && { key, answer }),
  };
}
