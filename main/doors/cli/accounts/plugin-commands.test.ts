import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { quoted } from '../../../../test/support/system.ts';
import type { CachedCredential } from '../../../accounts/plugins/certificates.ts';
import { PluginMemory } from '../../../accounts/plugins/memory.ts';
import { createPluginReader } from '../../../accounts/plugins/report.ts';
import { Secret } from '../../../base/secret.ts';
import { BrokerError } from '../../../contract/broker-error.ts';
import { type ExecPluginConfig, execPluginAccount } from '../../../contract/config/accounts/exec-plugin.ts';
import { credentialProviderAccount } from '../../../contract/config/accounts/image-plugins.ts';
import { refuse } from '../../../contract/refusal.ts';
import type { ProgramCheck } from '../../../domain/program/program-check.ts';
import { clusterName } from '../../../domain/target/target.ts';
import { someProgram } from '../../../domain/testing/some-program.ts';
import { withoutStyle } from '../../../domain/text/style.ts';
import type { History } from '../../../history/index.ts';
import { HistoryBench } from '../../../history/testing/history-bench.ts';
import { certificateRotation, pluginRun } from '../../../history/testing/sample-events.ts';
import type { LoadedConfig } from '../../../ports/config-store.ts';
import type { CommandCall } from '../command.ts';
import { commandCall } from '../testing/command-call.ts';
import { pluginListCommand, pluginShowCommand } from './plugin-commands.ts';

const minute = 60_000;
const hour = 60 * minute;

let clock: ManualClock;
let bench: HistoryBench;
let history: History;
let memory: PluginMemory;
let accounts: Record<string, object>;
let held: Record<string, CachedCredential[]>;
let isLocked: boolean;
let check: () => ProgramCheck;

beforeEach(() => {
  clock = new ManualClock();
  bench = new HistoryBench(clock);
  history = bench.open();
  memory = new PluginMemory();
  accounts = { eks: eks(), corp: { staticToken: {} } };
  held = {};
  isLocked = false;
  check = checkOfFacts;
});
afterEach(() => bench[Symbol.dispose]());

function eks(fields: Partial<ExecPluginConfig> = {}) {
  const config = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'aws',
    args: ['eks', 'get-token', '--cluster-name', 'the prod'],
    interactiveMode: 'IfAvailable',
    ...fields,
  };
  return { execPlugin: execPluginAccount.parse(config) };
}

function run(fields: Parameters<typeof pluginRun>[0] = {}): void {
  history.record(pluginRun(fields));
}

function rotate(fields: Parameters<typeof certificateRotation>[0] = {}): void {
  history.record(certificateRotation(fields));
}

const failed = { callStatus: 'plugin_execution_error', exitCode: 255, code: 'execPlugin.failed' } as const;

function deps() {
  const config = {
    current: () =>
      ({
        accounts: new Map(
          Object.entries(accounts).map(([name, config]) => [
            name,
            { name, config, certificateAuthorityPem: null },
          ]),
        ),
        clusters: new Map(),
      }) as unknown as LoadedConfig,
  };
  const reader = createPluginReader({
    config,
    history: history.reader,
    pluginMemory: memory,
    programs: { check: async () => check() },
    clock,
    gate: () => (isLocked ? refuse('locked', 'lock.locked', 'locked') : null),
    heldOf: (name) => held[name] ?? [],
  });
  return { config, reader, clock };
}

async function show(...words: string[]): Promise<string> {
  const call: CommandCall = commandCall(words);
  const { stdout } = await pluginShowCommand(deps())(call);
  return withoutStyle(String(stdout)).replace(/(\d+ \w{3} (\d{4} )?)?\d\d:\d\d:\d\d/g, 'TIME');
}

async function list(...words: string[]): Promise<string> {
  const { stdout, stderr } = await pluginListCommand(deps())(commandCall(words));
  return withoutStyle(String(stdout ?? stderr));
}

describe('lanyard plugin show', () => {
  it('tells how a plugin is run', async () => {
    const text = await show('eks');
    expect(text).toContain(`command     aws eks get-token --cluster-name ${quoted('the prod')}\n`);
    expect(text).toContain('program     /usr/bin/aws\n');
    expect(text).toContain(
      'IfAvailable: may ask, and is run at the terminal of a caller that has one, else in the agent',
    );
    expect(text).toContain('60 s, 180 s where the user can be asked');
    expect(text).toContain('variables   AWS_*\n');
    expect(text).toContain('runs        no runs in the last 24 h\n');
    expect(text).toContain('rotations   no certificate was rotated (30 days)');
    expect(text).toContain('No cached credential');
  });

  it.each<[Partial<ExecPluginConfig>, string]>([
    [{ timeoutSeconds: 7 }, 'time limit  7 s\n'],
    [{ interactiveMode: 'Never' }, 'time limit  60 s\n'],
    [{ environment: [] }, 'none of the caller’s count'],
    [{ share: false }, 'all of the caller’s\n'],
    [{ share: false }, 'for the caller’s terminal alone'],
    [{ provideClusterInfo: true }, 'shared, each cluster has its own\n'],
    [
      { passProxyConfig: true },
      'shared by all clusters; a client with a lock file has its own, with a proxy\n',
    ],
    [{ args: ['a\u001b[2J\nb'] }, '\\u{1b}[2J\\u{a}b'],
  ])('%j', async (fields, text) => {
    accounts['eks'] = eks(fields);
    expect(await show('eks')).toContain(text);
  });

  it.each<[string, () => ProgramCheck, string]>([
    ['changed', () => ({ ...checkOfFacts(), fault: 'changed' }), '/usr/bin/aws: it has changed'],
    [
      'missing',
      () => ({ facts: { kind: 'missing', path: null }, bound: null, fault: null }),
      'there is no such program',
    ],
    [
      'locked',
      () => {
        throw new BrokerError('vault.locked', 'locked', { reason: 'locked' });
      },
      'locked: whether it is the confirmed one can’t be told',
    ],
  ])('tells of a program that is %s', async (_, now, text) => {
    check = now;
    expect(await show('eks')).toContain(text);
  });

  it('KEP-541/objectives: tells the objectives with counts, in all and by cluster', async () => {
    for (let count = 0; count < 5; count++) {
      run();
    }
    run({ target: clusterName('dev'), ...failed });
    rotate();
    rotate({ target: clusterName('dev'), why: 'rejected', previousAge: hour });
    const text = await show('eks');
    expect(text).toContain(
      '1 of 6 runs failed (17%): objective 0.01% not met; below 10,000 runs one failure breaks it',
    );
    expect(text).toContain(
      '1 of 2 rotations in the last 1% of the life (1 early, 1 of them after a 401): objective not met (30 days)',
    );
    expect(text).toMatch(/^dev +1 +1 +0 of 1 in time +not met: runs, rotations$/m);
    expect(text).toMatch(/^prod +5 +0 +- +met$/m);
  });

  it('KEP-541/failure-modes: says in words what is worth a look, where one cluster’s calls rise among many', async () => {
    for (let at = 0; at < 23; at++) {
      run({ target: clusterName('prod') });
      for (let count = 0; count < 40; count++) {
        run({ target: clusterName('dev') });
      }
      clock.advance(hour);
    }
    for (let count = 0; count < 12; count++) {
      run({ target: clusterName('prod'), ...failed });
    }
    const text = await show('eks');
    expect(text).toContain('calls rise quickly');
    expect(text).toContain('errors rise');
    expect(text).not.toContain('rotates too often');
    expect(await list()).toContain('eks: calls rise quickly');
    clock.advance(2 * hour);
    expect(await show('eks')).not.toContain('Warnings:');
  });

  it('KEP-541/failure-modes: says in words that it rotates too often', async () => {
    for (let count = 0; count < 3; count++) {
      rotate({ why: 'rejected', previousAge: 5 * minute });
    }
    expect(await show('eks')).toMatch(/rotates too often.*\n.*far below their lifetime/);
  });

  it('tells the cached credentials, and that an expiry was read, not promised', async () => {
    const token = new Secret('the-token');
    const own = { token, certificate: null, issuedAt: null, expiresAt: clock.now() + hour };
    held['eks'] = [
      { target: clusterName('prod'), credential: own, variables: ['AWS_CA_BUNDLE', 'AWS_PROFILE'] },
      {
        target: null,
        credential: { ...own, noExpiry: { ownExpiry: clock.now() + hour, onlyFor: ['4711'] } },
      },
      {
        target: null,
        credential: { ...own, expiresAt: null, noExpiry: { ownExpiry: null, onlyFor: ['4711'] } },
      },
    ];
    const text = await show('eks');
    expect(text).toMatch(/^prod +TIME +AWS_CA_BUNDLE, AWS_PROFILE$/m);
    expect(text).toMatch(
      /^any cluster +TIME \(from token\); for the clients that asked, while they live +none$/m,
    );
    expect(text).toMatch(/^any cluster +no expiry known; for the clients/m);
    expect(`${text}${await show('eks', '--json')}`).not.toContain('the-token');
  });

  it('tells of the last runs, and what the plugin said', async () => {
    run({ where: 'caller', milliseconds: 21_000 });
    run(failed);
    const report = {
      account: 'eks',
      cluster: 'prod',
      at: clock.now(),
      milliseconds: 1,
      where: 'broker',
      isByHand: false,
    } as const;
    memory.note({ ...report, problem: null, lines: ['Opening\u001b[2J a browser'] });
    memory.note({ ...report, problem: 'exec: executable aws failed with exit code 255', lines: [] });
    memory.note({ ...report, problem: null, lines: [] });
    const text = await show('eks');
    expect(text).toMatch(
      /^TIME +21\.0 s +at a terminal +prod +answered\nTIME +0\.6 s +in the agent +prod +failed: execPlugin\.failed \(exit code 255\)$/m,
    );
    expect(text).toMatch(
      /TIME: what it said on stderr\n {2}Opening\\u\{1b\}\[2J a browser\n\nTIME: exec: executable aws failed with exit code 255\n$/,
    );
    isLocked = true;
    const locked = `${await show('eks')}${await show('eks', '--json')}`;
    expect(locked).not.toContain('Opening');
    expect(locked).toContain('execPlugin.failed');
  });

  it.each([
    [
      'corp',
      'corp is no exec plugin, no provider plugin, no program for AWS keys and no program that signs requests',
    ],
    ['ekss', 'there is no account'],
  ])('refuses %s', async (name, message) => {
    await expect(show(name)).rejects.toThrow(message);
  });
});

describe('a provider plugin', () => {
  const ofEcr = { plugin: 'credentialProvider', account: 'ecr', target: { kind: 'registry', name: 'work' } };
  const ecr = (fields: object = {}) => ({
    credentialProvider: credentialProviderAccount.parse({
      apiVersion: 'credentialprovider.kubelet.k8s.io/v1',
      command: 'ecr-credential-provider',
      args: ['get-credentials'],
      ...fields,
    }),
  });

  beforeEach(() => {
    accounts = { ecr: ecr(), eks: eks() };
    run(ofEcr as object);
    run({ ...ofEcr, ...failed, code: 'credentialProvider.failed' } as object);
  });

  it('is shown with its runs, and without what only exec plugins have', async () => {
    const text = await show('ecr');
    expect(text).toContain('command     ecr-credential-provider get-credentials\n');
    expect(text).toContain('time limit  60 s\n');
    expect(text).toContain('answer      cached as it says, else not at all\n');
    expect(text).toContain('runs        2 in the last 24 h, 1 failed\n');
    expect(text).toMatch(/^TIME +0\.6 s +in the agent +work +answered$/m);
    expect(text).toMatch(/work +failed: credentialProvider\.failed \(exit code 255\)$/m);
    expect(text).not.toMatch(/objective|rotation|variables|terminal/);
    accounts['ecr'] = ecr({ defaultCacheDuration: '12h' });
    expect(await show('ecr')).toContain('cached as it says, else for 12h\n');
  });

  it('is listed with no objective, and its runs are no exec plugin’s', async () => {
    expect(await list()).toMatch(
      /^ecr +provider plugin +ecr-credential-provider +0 s ago, failed +2 +1 +- +-$/m,
    );
    expect(JSON.parse(await list('--json'))).toMatchObject([
      { account: 'ecr', plugin: 'credentialProvider', calls: { runs: 2, failed: 1, isMet: null } },
      { account: 'eks', plugin: 'execPlugin', calls: { runs: 0 }, defaultCacheDuration: null },
    ]);
  });

  it('has the answers that may be cached among its cached credentials, the first 20 of them', async () => {
    const password = { userName: 'AWS', password: new Secret('the-password') };
    const credential = { token: null, certificate: null, password, issuedAt: null, expiresAt: null };
    const target = { kind: 'registry', name: 'work' };
    held['ecr'] = [
      { target, credential: { ...credential, noExpiry: { ownExpiry: null, onlyFor: [] } } },
      ...Array.from({ length: 22 }, () => ({
        target,
        credential: { ...credential, expiresAt: clock.now() + hour },
      })),
    ];
    const text = await show('ecr');
    expect(text.match(/^work +TIME$/gm)).toHaveLength(20);
    expect(text).toContain('and 2 more: --json has all');
    expect(JSON.parse(await show('ecr', '--json'))['held']).toHaveLength(22);
    expect(text).not.toContain('the-password');
  });

  it('says that errors rise', async () => {
    for (let count = 0; count < 3; count++) {
      run({ ...ofEcr, ...failed } as object);
    }
    expect(await list()).toContain('ecr: errors rise');
  });
});

describe('lanyard plugin list', () => {
  it('has a line for each plugin, and for nothing else', async () => {
    accounts['gke'] = eks({ command: 'gke-gcloud-auth-plugin', args: [] });
    run();
    clock.advance(5 * minute);
    const text = await list();
    expect(text).toMatch(/^eks +exec plugin +aws +5 min ago +1 +0 +- +met$/m);
    expect(text).toMatch(/^gke +exec plugin +gke-gcloud-auth-plugin +never +0 +0 +- +-$/m);
    expect(text).not.toContain('corp');
    expect(JSON.parse(await list('--json'))).toMatchObject([
      {
        account: 'eks',
        calls: { runs: 1, failed: 0, isMet: true },
        lastRun: { at: clock.now() - 5 * minute, code: null },
      },
      { account: 'gke', lastRun: null, variables: ['CLOUDSDK_*', 'GOOGLE_*'] },
    ]);
  });

  it('says where there is none', async () => {
    accounts = {};
    expect(await list()).toContain('No plugins yet');
  });
});

function checkOfFacts(): ProgramCheck {
  return {
    facts: someProgram('/usr/bin/aws'),
    bound: null,
    fault: null,
  };
}
