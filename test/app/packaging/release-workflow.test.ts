import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

/* The workflow itself runs on GitHub alone; this holds what can be seen in the file. */

const root = join(import.meta.dirname, '..', '..', '..');
const text = readFileSync(join(root, '.github', 'workflows', 'release.yml'), 'utf8');
const step = z.looseObject({ uses: z.string().optional(), run: z.string().optional() });
const workflow = z
  .looseObject({
    on: z.unknown(),
    permissions: z.unknown(),
    jobs: z.record(
      z.string(),
      z.looseObject({ permissions: z.record(z.string(), z.string()).optional(), steps: z.array(step) }),
    ),
  })
  .parse(parse(text));
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

describe('the release workflow', () => {
  it('runs for tags alone, and may only read unless a job says more', () => {
    expect(workflow.on).toEqual({ push: { tags: [expect.any(String)] } });
    expect(workflow.permissions).toEqual({ contents: 'read' });
    const writers = Object.entries(workflow.jobs).filter(
      ([, job]) => job.permissions?.['contents'] === 'write',
    );
    expect(writers.map(([name]) => name)).toEqual(['release']);
  });

  it('pins each action by its full version, or by a commit', () => {
    const uses = steps.flatMap((each) => each.uses ?? []);
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((each) => !/^[\w-]+\/[\w-]+@(v\d+\.\d+\.\d+|[0-9a-f]{40})$/.test(each))).toEqual([]);
  });

  it('puts no text of others and no secret into a shell’s words', () => {
    const inserted = steps.flatMap((each) => [...(each.run ?? '').matchAll(/\$\{\{\s*(.*?)\s*\}\}/g)]);
    expect(
      inserted.filter(([, what]) => !/^(matrix\.|runner\.os)/.test(what ?? '')).map(([all]) => all),
    ).toEqual([]);
  });

  it('runs scripts that are there', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name ?? '');
    expect(named).toEqual(expect.arrayContaining(['package', 'check:release', 'test:electron', 'manifests']));
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});
