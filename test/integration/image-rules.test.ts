import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findGo } from '../support/go.ts';
import { comparable } from '../support/image-rules/comparable.ts';
import { fuzzed } from '../support/image-rules/fuzz.ts';
import { askKubelet, buildKubelet } from '../support/image-rules/kubelet.ts';
import { askLanyard } from '../support/image-rules/lanyard.ts';
import { mutated } from '../support/image-rules/mutated.ts';
import type { Answer, Question } from '../support/image-rules/questions.ts';
import {
  kubernetesVersion,
  readRecorded,
  recordedFuzz,
  recordedRows,
  writeRecorded,
} from '../support/image-rules/recorded.ts';
import { rows } from '../support/image-rules/rows.ts';
import { whyNotLong } from '../support/long.ts';
import { unless } from '../support/unless.ts';

const kinds = ['match', 'lookup', 'normalise'] as const;
const recordedSeed = 16;
const perKind = 2_000;
const seed = Number(process.env['LANYARD_SEED'] ?? recordedSeed);

/** KEP-2133/configuration, KEP-2133/matching, KEP-2133/key-order, KEP-2133/caching */
describe('the kubelet’s rules of image credentials', () => {
  it('give what the kubelet gave, row by row', () => {
    const recorded = readRecorded();
    expect(recorded.kubernetes).toBe(kubernetesVersion());
    expect(recordedRows(rows, rows.map(askLanyard))).toEqual(recorded.rows);
  });

  it.each(kinds)('give what the kubelet gave in 2,000 questions by chance: %s', (kind) => {
    const answers = fuzzed(kind, recordedSeed, perKind).map(askLanyard);
    expect(recordedFuzz(answers)).toBe(readRecorded().fuzz[kind]);
  });
});

const go = findGo();
const why = go.ok ? whyNotLong : go.why;

describe('the kubelet itself', unless(why), () => {
  const limit = { timeout: 3_600_000 };
  let built: Promise<string> | null = null;
  const program = () => (built ??= buildKubelet(go.ok ? go.path : ''));

  it('still answers as is recorded', limit, async () => {
    const answers = await askKubelet(await program(), rows);
    const fuzz = await Promise.all(
      kinds.map(async (kind) => {
        const told = await askKubelet(await program(), fuzzed(kind, recordedSeed, perKind));
        return [kind, recordedFuzz(told)] as const;
      }),
    );
    const recorded = {
      kubernetes: kubernetesVersion(),
      rows: recordedRows(rows, answers),
      fuzz: Object.fromEntries(fuzz),
    };
    if (process.env['LANYARD_WRITE_GOLDEN'] === '1') {
      writeRecorded(recorded);
    }
    expect(recorded).toEqual(readRecorded());
  });

  it.each(kinds)('answers 20,000 questions by chance as Lanyard does: %s', limit, async (kind) => {
    expect(await differences(fuzzed(kind, seed, 10 * perKind)), `seed ${seed}`).toEqual([]);
  });

  it.each([
    ['config', 5_000],
    ['session', 1_000],
  ] as const)('reads what is changed by chance as Lanyard does: %s, %d', limit, async (kind, count) => {
    expect(await differences(mutated(kind, seed, count)), `seed ${seed}`).toEqual([]);
  });

  async function differences(questions: readonly Question[]): Promise<unknown[]> {
    const answers = await askKubelet(await program(), questions);
    return questions.flatMap((question, index) => {
      const [kubelet, lanyard] = [answers[index] as Answer, askLanyard(question)].map(comparable);
      return isDeepStrictEqual(kubelet, lanyard) ? [] : [{ question, kubelet, lanyard }];
    });
  }
});
