import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeFailure } from '../../main/accounts/exec-plugin/plugin-words.ts';
import { certificateEnd } from '../../main/accounts/plugins/certificates.ts';
import { Secret } from '../../main/base/secret.ts';
import { CachedGrants } from '../../main/grants/cached-grants.ts';
import { Sources } from '../../main/grants/source.ts';
import { createExecPluginMetrics } from '../../main/history/metrics/exec-plugin-metrics.ts';
import type { Account, Credential } from '../../main/ports/account.ts';
import type { HistoryEvent } from '../../main/ports/history.ts';
import { type CertificateAuthority, createCa, issueClientCertificate } from '../support/certificates.ts';
import { buildGo, goModule, goPath, whyNoGo } from '../support/go.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { unless } from '../support/unless.ts';

const folder = join(goModule, 'restclient-metrics', 'runs');
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => basename(name, '.json'));

/** As in restclient-metrics/print_test.go; times are seconds from the beginning of the list. */
interface Run {
  at: number;
  plugin: string;
  does: 'certificate' | 'token' | 'garbage' | 'exit' | 'signal' | 'missing' | 'notExecutable';
  number?: number;
  certificate?: string;
  notBefore?: number;
  notAfter?: number;
}

const golden = (name: string) => readFileSync(join(folder, `${name}.txt`), 'utf8');

describe('KEP-541/metrics: of the same runs of plugins', () => {
  it.each(names)('Lanyard prints what client-go’s own registry prints: %s', async (name) => {
    expect(await lanyardText(name)).toBe(golden(name));
  });
});

const why = whyNoGo();
describe('KEP-541/metrics: client-go’s own registry', unless(why), () => {
  it('still prints what is kept here for comparison', { timeout: 700_000 }, async () => {
    const print = await buildGo(goPath(), 'restclient-metrics', { test: true });
    const out = mkdtempSync(join(tmpdir(), 'ly-go-'));
    try {
      for (const name of names) {
        const file = join(out, name);
        const done = spawnSync(print, [file], { input: readFileSync(join(folder, `${name}.json`)) });
        expect(done.status, `${name}: ${done.stdout}${done.stderr}`).toBe(0);
        const text = readFileSync(file, 'utf8');
        if (process.env['LANYARD_WRITE_GOLDEN'] === '1') {
          writeFileSync(join(folder, `${name}.txt`), text);
        }
        expect(text, name).toBe(golden(name));
      }
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  });
});

/** The same runs, as grants and metrics see them. */
async function lanyardText(name: string): Promise<string> {
  const list = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as { runs: Run[]; end: number };
  const clock = new ManualClock();
  const began = clock.now();
  const plugins = new Map<string, Account>();
  const metrics = createExecPluginMetrics({
    isPlugin: (account) => plugins.has(account),
    pluginCertificateEnds: () =>
      [...plugins.values()].flatMap((account) => {
        const held = grants.get(sources.of(account, null));
        return held === null ? [] : (certificateEnd(held.credential) ?? []);
      }),
    clock,
  });
  const grants = new CachedGrants({
    clock,
    recorder: { record: (event) => metrics.count(event) },
    onNew: () => undefined,
  });
  const sources = new Sources();
  const ca = await createCa('clients');
  const certificates = new Map<string, NonNullable<Credential['certificate']>>();
  const moveTo = (at: number) => clock.advance(began + at * 1000 - clock.now());
  for (const run of list.runs) {
    moveTo(run.at);
    const account = plugins.get(run.plugin) ?? ({ name: run.plugin } as Account);
    plugins.set(run.plugin, account);
    metrics.count(runEvent(run));
    if (run.does === 'token') {
      const token = new Secret(`token at ${run.at}`);
      grants.keep(
        sources.of(account, null),
        { token, certificate: null, issuedAt: null, expiresAt: null },
        'due',
      );
    } else if (run.does === 'certificate') {
      const certificate = certificates.get(run.certificate ?? '') ?? (await issue(ca, run, began));
      certificates.set(run.certificate ?? '', certificate);
      const life = {
        issuedAt: began + (run.notBefore ?? 0) * 1000,
        expiresAt: began + (run.notAfter ?? 0) * 1000,
      };
      grants.keep(sources.of(account, null), { token: null, certificate, ...life }, 'due');
    }
  }
  moveTo(list.end);
  return metrics.text();
}

/** Counted as the account counts its runs. */
function runEvent({ plugin, does, number = 0 }: Run): HistoryEvent {
  const how = {
    exit: { how: 'exited', code: number, stdout: new Secret('') } as const,
    signal: { how: 'signalled', signal: number } as const,
    missing: { how: 'notFound' } as const,
    notExecutable: { how: 'notStarted', message: 'permission denied' } as const,
    certificate: null,
    token: null,
    garbage: null,
  }[does];
  const described = how && describeFailure(how, plugin, { command: 'plugin' }, 60);
  const { callStatus, exitCode } = described?.counted ?? { callStatus: 'no_error' as const, exitCode: 0 };
  const code = does === 'garbage' ? 'execPlugin.garbage' : (described?.refusal.code ?? null);
  const shown = { target: null, where: 'broker', milliseconds: 1 } as const;
  return { kind: 'pluginRun', plugin: 'execPlugin', account: plugin, callStatus, exitCode, code, ...shown };
}

async function issue(ca: CertificateAuthority, { certificate, notBefore, notAfter }: Run, began: number) {
  const { chainPem, keyPem } = await issueClientCertificate(ca, {
    commonName: certificate ?? '',
    notBefore: new Date(began + (notBefore ?? 0) * 1000),
    notAfter: new Date(began + (notAfter ?? 0) * 1000),
  });
  return { chainPem, keyPem: new Secret(keyPem) };
}
