import { raceAbort } from '../base/abort.ts';
import { BrokerError } from '../contract/broker-error.ts';
import { type Finding, observe } from '../domain/text/finding.ts';
import { visibleText } from '../domain/text/visible-text.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Check, Group, Observed } from './check.ts';

/** How long one check may take. */
export const checkMilliseconds = 5_000;
/** How long all checks may take together. With thousands of clusters that don’t answer, some are skipped. */
export const allMilliseconds = 120_000;
const atOnce = 8;
const textCharacters = 2_000;

export type GroupedFinding = Finding & { group: Group };

export interface RunDeps {
  clock: Pick<Clock, 'after'>;
  log: Log;
  /** Called before each check: `ended` of `all` checks are done. */
  onProgress?(ended: number, all: number): void;
}

/**
 * Runs the checks, a few at a time, and returns their findings in the checks’ order. A check that fails or times out
 * becomes a finding. Rejects only where `signal` aborts.
 */
export async function runChecks(
  checks: readonly Check[],
  { clock, log, onProgress = () => undefined }: RunDeps,
  signal: AbortSignal,
): Promise<GroupedFinding[]> {
  const found: GroupedFinding[][] = [];
  const all = new AbortController();
  const timer = clock.after(allMilliseconds, () => all.abort());
  let next = 0;
  let ended = 0;

  const work = async () => {
    for (let index = next++; index < checks.length; index = next++) {
      signal.throwIfAborted();
      const check = checks[index] as Check;
      onProgress(ended, checks.length);
      const observed = all.signal.aborted ? [skipped(check)] : await runOne(check, clock, log, signal);
      found[index] = observed.map((each) => ({
        group: check.group,
        check: each.check,
        subject: shown(each.subject === undefined ? check.subject : each.subject),
        level: each.level,
        message: visibleText(each.message, textCharacters),
        hint: shown(each.hint),
      }));
      ended += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, checks.length) }, work));
  } finally {
    timer.dispose();
  }
  return found.flat();
}

async function runOne(
  check: Check,
  clock: Pick<Clock, 'after'>,
  log: Log,
  signal: AbortSignal,
): Promise<readonly Observed[]> {
  const limit = new AbortController();
  const timer = clock.after(checkMilliseconds, () => limit.abort());
  const either = AbortSignal.any([signal, limit.signal]);
  try {
    return await raceAbort(
      Promise.resolve().then(() => check.run(either)),
      either,
    );
  } catch (error) {
    signal.throwIfAborted();
    const found = observe(check.name);
    if (limit.signal.aborted) {
      return [found.warning(`this did not end within ${checkMilliseconds / 1000} s, and was left`)];
    }
    if (error instanceof BrokerError) {
      return [found.problem(error.message, error.hint ?? null)];
    }
    log.error('doctor.check', { check: check.name, subject: check.subject, error });
    return [found.problem('this could not be looked at: something went wrong inside lanyard')];
  } finally {
    timer.dispose();
  }
}

/** Names and paths come from files and variables that others may write: none may forge a line. */
function shown(text: string | null): string | null {
  return text === null ? null : visibleText(text, textCharacters);
}

function skipped(check: Check): Observed {
  return observe(check.name).note('not looked at: there is too much to look at in one go');
}
