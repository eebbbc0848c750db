import { useState } from 'react';
import type { AccountDraft } from '../../../main/contract/ui/calls/accounts.ts';
import type { TestFinding } from '../../../main/contract/ui/calls/finding.ts';
import { useAction } from '../../stores/use-call.ts';
import { type ShownTest, useTested } from '../entries/use-test.ts';

export interface DraftTest extends ShownTest {
  run(): Promise<void>;
  cancel(): void;
}

/** Checks what an account depends on before it is saved. */
export function useDraftTest(draft: AccountDraft): DraftTest {
  const test = useAction('account.test');
  const [doing, setDoing] = useState<string | null>(null);
  const tested = useTested<readonly TestFinding[]>(JSON.stringify(draft));
  return {
    async run() {
      setDoing(null);
      tested.set(null);
      const output = await test.run(draft, { onProgress: (progress) => setDoing(progress.doing) });
      tested.set(output?.findings ?? null);
    },
    cancel: test.cancel,
    busy: test.busy,
    doing,
    failure: test.failure,
    findings: tested.answer,
    isOld: tested.isOld,
  };
}
