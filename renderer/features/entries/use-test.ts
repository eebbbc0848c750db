import { useState } from 'react';
import type { AccountDraft, TestFinding } from '../../../main/contract/ui/calls/accounts.ts';
import type { UiFailure } from '../../../main/contract/ui/messages.ts';
import { useAction } from '../../stores/use-call.ts';

export interface DraftTest {
  run(): Promise<void>;
  cancel(): void;
  busy: boolean;
  /** What it does at the moment; null: it has just begun. */
  doing: string | null;
  failure: UiFailure | null;
  findings: readonly TestFinding[] | null;
  /** The form was changed since. */
  isOld: boolean;
}

/** Checks what a draft depends on before it is saved. */
export function useTest(draft: AccountDraft): DraftTest {
  const test = useAction('account.test');
  const [doing, setDoing] = useState<string | null>(null);
  const [result, setResult] = useState<{ draft: AccountDraft; findings: readonly TestFinding[] } | null>(
    null,
  );
  return {
    async run() {
      setDoing(null);
      setResult(null);
      const output = await test.run(draft, { onProgress: (progress) => setDoing(progress.doing) });
      if (output) {
        setResult({ draft, findings: output.findings });
      }
    },
    cancel: test.cancel,
    busy: test.busy,
    doing,
    failure: test.failure,
    findings: result?.findings ?? null,
    isOld: result !== null && result.draft !== draft,
  };
}
