import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { countedRun } from '../../main/accounts/plugins/counted-run.ts';
import { Secret } from '../../main/base/secret.ts';
import { configHash } from '../../main/domain/image/provider-config.ts';
import { createKubeletMetrics } from '../../main/history/metrics/kubelet-metrics.ts';
import type { RunOutcome } from '../../main/ports/program-runner.ts';
import { buildGo, findGo } from '../support/go.ts';
import { whyNotLong } from '../support/long.ts';
import { unless } from '../support/unless.ts';

const module = join(import.meta.dirname, '..', 'support', 'kubelet');
const folder = join(module, 'metrics');
const input = readFileSync(join(folder, 'runs.json'), 'utf8');
const golden = join(folder, 'runs.txt');

/** As in metrics/print_test.go. */
interface Run {
  plugin: string;
  does: 'answer' | 'nothing' | 'garbage' | 'unknownField' | 'exit' | 'signal' | 'missing';
  code?: number;
}

it('KEP-2133/metrics: of the same runs, Lanyard prints what the kubelet’s own registry prints', async () => {
  const { config, runs } = JSON.parse(input) as { config: object; runs: Run[] };
  const metrics = createKubeletMetrics({
    providerName: (account) => account,
    providerConfigHash: () => configHash([{ path: '', bytes: Buffer.from(JSON.stringify(config)) }]),
  });
  for (const run of runs) {
    metrics.count({
      kind: 'pluginRun',
      plugin: 'credentialProvider',
      account: run.plugin,
      target: null,
      where: 'broker',
      ...countedRun(outcomeOf(run)),
      code: null,
      milliseconds: 0,
    });
  }
  expect(await metrics.text()).toBe(readFileSync(golden, 'utf8'));
});

function outcomeOf({ does, code = 0 }: Run): RunOutcome {
  switch (does) {
    case 'missing':
      return { how: 'notFound' };
    case 'signal':
      return { how: 'signalled', signal: code };
    default:
      return { how: 'exited', code, stdout: new Secret('') };
  }
}

const go = findGo();
const why = go.ok ? whyNotLong : go.why;
describe('KEP-2133/metrics: the kubelet’s own registry', unless(why), () => {
  it('still prints what is kept here for comparison', { timeout: 700_000 }, async () => {
    const print = await buildGo(go.ok ? go.path : '', 'metrics', { module, test: true });
    const out = mkdtempSync(join(tmpdir(), 'ly-go-'));
    try {
      const file = join(out, 'text');
      const done = spawnSync(print, [file], { input });
      expect(done.status, `${done.stdout}${done.stderr}`).toBe(0);
      const text = readFileSync(file, 'utf8');
      if (process.env['LANYARD_WRITE_GOLDEN'] === '1') {
        writeFileSync(golden, text);
      }
      expect(text).toBe(readFileSync(golden, 'utf8'));
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  });
});
