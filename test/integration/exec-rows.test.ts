import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRowBench, type RowBench, type RowResult } from '../support/exec-rows/bench.ts';
import { differenceOf, isExplained } from '../support/exec-rows/differences.ts';
import { execRows } from '../support/exec-rows/rows.ts';
import { isLong } from '../support/long.ts';

/** One of each sort: the long form takes all. What is printed is compared in exec-answers.test.ts, too. */
const usual: readonly string[] = [
  ...[
    'a good answer',
    'words on stderr',
    'words, and a failure',
    'exit 42',
    'signal TERM',
    'an unknown token',
  ],
  ...['an expired answer', 'arguments with spaces', 'a secret variable', 'a variable twice', 'v1beta1'],
  ...['v1, v1beta1 answered', 'Always without a terminal', 'told the cluster'],
  ...['a path with dots', 'a path from the kubeconfig'],
  ...['a name in PATH', 'a name in PATH that can’t be run', 'without the permission', 'without a first line'],
  'prints: cut in its token',
];

const rows = execRows().filter(({ name }) => isLong || usual.includes(name));

let bench: RowBench;
beforeAll(async () => {
  bench = await openRowBench(rows);
});
afterAll(() => bench?.dispose());

describe('through Lanyard a plugin ends as by kubectl alone, or otherwise for a reason', () => {
  test.each(rows.map((row) => [row.name, row] as const))('%s', async (name, row) => {
    const alone = await bench.alone(row);
    const through = await bench.through(row);
    if (isAlike(alone, through)) {
      expect(isExplained(name), 'it has a reason in the table, and needs none').toBe(false);
    } else {
      expect(
        differenceOf(name, through),
        `${alone.stderr}\nthrough Lanyard:\n${through.stderr}`,
      ).not.toBeNull();
    }
    for (const line of ['opening a browser', 'please log in']) {
      expect(through.stderr.includes(line)).toBe(alone.stderr.includes(line));
    }
  });
});

/** What was decoded is told in words of one's own: it may hold a secret. */
const toldOtherwise = /^(decoding stdout: |failed parsing client key\/certificate: ).*$/;

function isAlike(alone: RowResult, through: RowResult): boolean {
  const told = (text: string | null) => text?.replace(toldOtherwise, '$1') ?? '';
  return (
    alone.code === through.code &&
    alone.user === through.user &&
    (alone.code === 0 ||
      (alone.message === null
        ? alone.stderr === through.stderr
        : told(through.message).startsWith(told(alone.message))))
  );
}
