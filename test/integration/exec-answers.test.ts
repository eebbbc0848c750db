import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cases } from '../support/exec-answers/cases.ts';
import { askClientGo } from '../support/exec-answers/client-go.ts';
import { clientGoVerdict, lanyardVerdict, type Verdict } from '../support/exec-answers/compare.ts';
import { Comparison } from '../support/exec-answers/differences.ts';
import { mutatedAnswers } from '../support/exec-answers/mutations.ts';
import { seeds } from '../support/exec-answers/seeds.ts';
import { buildGo, goPath, whyNoGo } from '../support/go.ts';
import { unless } from '../support/unless.ts';

/** What client-go made of each case: kept here, so that Lanyard is compared with it where no Go is. */
const goldenFile = join(import.meta.dirname, '..', 'support', 'exec-answers', 'client-go.json');
const golden = () => JSON.parse(readFileSync(goldenFile, 'utf8')) as Record<string, Verdict>;

describe('what a plugin prints', () => {
  it('is read as client-go reads it, or otherwise for a reason', () => {
    const found = new Comparison();
    const clientGo = golden();
    expect(Object.keys(clientGo)).toEqual(cases().map(({ name }) => name));
    for (const answer of cases()) {
      found.add(answer, clientGo[answer.name] as Verdict, lanyardVerdict(answer));
    }
    expect(found.unexplained).toEqual([]);
  });
});

const why = whyNoGo();

describe('client-go itself', unless(why), () => {
  const program = () => buildGo(goPath(), 'exec-answers');

  it('still reads the cases as is kept here for comparison', { timeout: 700_000 }, async () => {
    const answers = await askClientGo(await program(), cases());
    const verdicts = cases().map(({ name }, index) => [
      name,
      clientGoVerdict(answers[index] ?? { ok: false }),
    ]);
    if (process.env['LANYARD_WRITE_GOLDEN'] === '1') {
      writeFileSync(goldenFile, `${JSON.stringify(Object.fromEntries(verdicts), null, 1)}\n`);
    }
    expect(Object.fromEntries(verdicts)).toEqual(golden());
  });

  it('takes 3,000 mutated answers as Lanyard does, or otherwise for a reason', {
    timeout: 700_000,
  }, async () => {
    const seed = Number(process.env['LANYARD_SEED'] ?? 14);
    const whole = seeds();
    const mutated = [...mutatedAnswers(seed, 3_000)];
    const answers = await askClientGo(await program(), [...whole, ...mutated]);
    const found = new Comparison();
    for (const [index, answer] of [...whole, ...mutated].entries()) {
      const clientGo = clientGoVerdict(answers[index] ?? { ok: false });
      if (index < whole.length) {
        expect(clientGo.at, answer.name).toBe('ok');
      }
      found.add(answer, clientGo, lanyardVerdict(answer));
    }
    process.stderr.write(`seed ${seed}: ${JSON.stringify(found.reasons(), null, 1)}\n`);
    expect(found.unexplained, `seed ${seed}`).toEqual([]);
    expect(found.tooMany(), `seed ${seed}`).toEqual([]);
  });
});
