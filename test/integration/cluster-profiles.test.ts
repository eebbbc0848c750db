import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { comparable } from '../support/cluster-profiles/comparable.ts';
import { fuzzed } from '../support/cluster-profiles/fuzz.ts';
import { askLanyard } from '../support/cluster-profiles/lanyard.ts';
import {
  askLibrary,
  libraryVersion,
  readReference,
  writeReference,
} from '../support/cluster-profiles/library.ts';
import type { Answer } from '../support/cluster-profiles/questions.ts';
import { rows } from '../support/cluster-profiles/rows.ts';
import { buildGo, goPath, whyNoGo } from '../support/go.ts';
import { unless } from '../support/unless.ts';

const kinds = ['build', 'selector'] as const;
const recordedSeed = 17;
const perKind = 2_000;
const seed = Number(process.env['LANYARD_SEED'] ?? recordedSeed);

/** As JSON has it: without what is undefined. */
const plain = (answer: Answer): unknown => JSON.parse(JSON.stringify(comparable(answer)));

const digest = (answers: readonly Answer[]) =>
  createHash('sha256')
    .update(JSON.stringify(answers.map(canonical)))
    .digest('hex');

/** With sorted keys. */
function canonical(answer: Answer): unknown {
  return JSON.parse(
    JSON.stringify(plain(answer), (_, value: unknown) =>
      value instanceof Object && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    ),
  );
}

/** KEP-5339/provider-file, KEP-5339/several-providers, KEP-5339/arguments, KEP-5339/variables, KEP-5339/exec-config */
describe('the rules of ClusterProfiles', () => {
  const reference = readReference();

  it('have a table that names each row once', () => {
    expect(Object.keys(reference.rows)).toEqual([...new Set(rows.map(({ name }) => name))]);
    expect(rows).toHaveLength(Object.keys(reference.rows).length);
    expect(reference.library).toBe(libraryVersion());
  });

  it.each(rows)('$name: as the community library, or otherwise for a reason', (row) => {
    const theirs = plain(reference.rows[row.name] ?? expect.unreachable());
    const ours = plain(askLanyard(row));
    if (row.differs) {
      expect(ours, row.differs.why).toEqual(row.differs.ours);
      expect(ours, 'it does not differ').not.toEqual(theirs);
    } else {
      expect(ours).toEqual(theirs);
    }
  });

  it.each(kinds)('are the library’s in 2,000 questions by chance: %s', (kind) => {
    const answers = fuzzed(kind, recordedSeed, perKind).map((question) => askLanyard({ question }));
    expect(digest(answers)).toBe(reference.fuzz[kind]);
  });
});

const why = whyNoGo();

describe('the community library itself', unless(why), () => {
  const limit = { timeout: 700_000 };
  let built: Promise<string> | null = null;
  const program = () => (built ??= buildGo(goPath(), 'cluster-profiles'));

  it('still answers as is kept here for comparison', limit, async () => {
    const answers = await askLibrary(
      await program(),
      rows.map(({ question }) => question),
    );
    const fuzz = await Promise.all(
      kinds.map(
        async (kind) =>
          [kind, digest(await askLibrary(await program(), fuzzed(kind, recordedSeed, perKind)))] as const,
      ),
    );
    const reference = {
      library: libraryVersion(),
      rows: Object.fromEntries(rows.map(({ name }, index) => [name, answers[index] as Answer])),
      fuzz: Object.fromEntries(fuzz),
    };
    if (process.env['LANYARD_WRITE_GOLDEN'] === '1') {
      writeReference(reference);
    }
    expect(reference).toEqual(readReference());
  });

  it.each(kinds)('answers 20,000 questions by chance as Lanyard does: %s', limit, async (kind) => {
    const questions = fuzzed(kind, seed, 10 * perKind);
    const answers = await askLibrary(await program(), questions);
    const differences = questions.flatMap((question, index) => {
      const [library, lanyard] = [answers[index] as Answer, askLanyard({ question })].map(plain);
      return isDeepStrictEqual(library, lanyard) ? [] : [{ question, library, lanyard }];
    });
    expect(differences.slice(0, 3), `seed ${seed}`).toEqual([]);
  });
});
