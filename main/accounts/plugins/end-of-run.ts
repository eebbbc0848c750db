import { visibleText } from '../../domain/text/visible-text.ts';
import type { RunOutcome } from '../../ports/program-runner.ts';

/** How a run without a result ended: the end of an error’s code, and in words. `size`, `seconds`: its limits. */
export function endOfRun(
  outcome: RunOutcome,
  { size, seconds }: { size: string; seconds: number },
): [code: string, what: string] {
  switch (outcome.how) {
    case 'exited':
      return ['failed', `exit status ${outcome.code}`];
    case 'signalled':
    case 'interrupted':
      return ['signalled', `it was ended by signal ${outcome.signal}`];
    case 'tooLarge':
      return ['tooLarge', `it wrote more than ${size}, and was ended`];
    case 'timedOut':
      return ['timedOut', `it did not answer in ${seconds} s, and was ended with all it started`];
    case 'notFound':
      return ['notFound', 'there is no such program'];
    case 'notStarted':
      return ['notStarted', visibleText(outcome.message, 300)];
    case 'noTerminal':
    case 'lost':
      return ['lost', 'the process that ran it ended before it'];
  }
}
