import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

/* The workflows themselves run on GitHub alone; this holds what can be seen in the files. */

const root = join(import.meta.dirname, '..', '..', '..');
const folder = join(root, '.github', 'workflows');
const step = z.looseObject({
  uses: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
  run: z.string().optional(),
});
const schema = z.looseObject({
  on: z.unknown(),
  permissions: z.unknown(),
  jobs: z.record(
    z.string(),
    z.looseObject({
      'timeout-minutes': z.int(),
      permissions: z.record(z.string(), z.string()).optional(),
      steps: z.array(step),
    }),
  ),
});

function read(name: string) {
  const text = readFileSync(join(folder, name), 'utf8');
  const workflow = schema.parse(parse(text));
  return { text, workflow, steps: Object.values(workflow.jobs).flatMap((job) => job.steps) };
}

/** Jobs that may do more than read, with what they may write. */
function writers({ jobs }: z.infer<typeof schema>): Record<string, string[]> {
  const rights = Object.entries(jobs).map(([name, { permissions = {} }]) => {
    const written = Object.entries(permissions).filter(([, right]) => right !== 'read');
    return [name, written.map(([what]) => what)] as const;
  });
  return Object.fromEntries(rights.filter(([, written]) => written.length > 0));
}

function scriptsNamed(text: string): string[] {
  return [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name ?? '');
}

describe.each(readdirSync(folder))('every workflow: %s', (name) => {
  const { text, workflow, steps } = read(name);

  it('may only read unless a job says more, and leaves no token in the checkout', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.length).toBeGreaterThan(0);
    expect(checkouts.filter((each) => each.with?.['persist-credentials'] !== false)).toEqual([]);
  });

  it('pins each action by a commit, with its version beside it', () => {
    const lines = text.split('\n').filter((line) => /^\s*(- )?uses:/.test(line));
    expect(lines).toHaveLength(steps.filter(({ uses }) => uses !== undefined).length);
    const pinned = /^\s*(- )?uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    expect(lines.filter((line) => !pinned.test(line))).toEqual([]);
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
    expect(scriptsNamed(text).filter((script) => !(script in scripts))).toEqual([]);
  });
});

describe('the release workflow', () => {
  const { workflow } = read('release.yml');

  it('runs for tags alone, and lets one job write the release', () => {
    expect(workflow.on).toEqual({ push: { tags: [expect.any(String)] } });
    expect(writers(workflow)).toEqual({ package: ['id-token', 'attestations'], release: ['contents'] });
  });
});

describe('the workflow for pull requests', () => {
  const { text, workflow } = read('pull-request.yml');

  it('runs others’ code with no secret and no right to write', () => {
    // Not pull_request_target, which has both.
    expect(workflow.on).toEqual({ pull_request: null });
    expect(writers(workflow)).toEqual({});
    expect(text).not.toMatch(/secrets\.|environment:/);
  });
});
