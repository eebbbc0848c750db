import { parseArgs } from 'node:util';
import { expect, test } from 'vitest';
import { argumentFault } from './argument-fault.ts';

test.each([
  [['--frob'], "unknown option '--frob'"],
  [['--since'], "option '--since <value>' argument missing"],
  [['--since', '-1h'], 'what is given to --since begins with a dash: write --since=-…'],
  [['--json=1'], "option '--json' does not take an argument"],
])('%j: one sentence, lower case, on one line', (args, fault) => {
  const options = { since: { type: 'string' }, json: { type: 'boolean' } } as const;
  let thrown: unknown;
  try {
    parseArgs({ args, options });
  } catch (error) {
    thrown = error;
  }
  expect(argumentFault(thrown)).toBe(fault);
});
