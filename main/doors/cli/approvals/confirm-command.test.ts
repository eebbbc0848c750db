import { describe, expect, it } from 'vitest';
import { FakeVault } from '../../../accounts/testing/fake-vault.ts';
import { Secret } from '../../../base/secret.ts';
import type { PendingChange } from '../../../domain/approval/binding.ts';
import type { LoadedCluster, LoadedConfig } from '../../../domain/loaded-config.ts';
import type { ChangedProgram } from '../../../domain/program/program-check.ts';
import { noEntries } from '../../../domain/testing/no-entries.ts';
import { someProgram } from '../../../domain/testing/some-program.ts';
import type { HistoryEvent } from '../../../ports/history.ts';
import { commandCall } from '../testing/command-call.ts';
import { confirmCommand } from './confirm-command.ts';

const program = (path: string, sha256: string) => someProgram(path, { sha256 });
const heldEks: ChangedProgram = {
  account: 'eks',
  change: 'changed',
  before: { path: '/usr/bin/aws', sha256: 'one' },
  now: program('/usr/bin/aws', 'two'),
};
const shown = (what: PendingChange['what'], name: string, line: string) => ({
  what,
  name,
  change: 'new' as const,
  served: false,
  lines: [line],
});
const kept = { before: null, after: '{}', form: null };
const newGke: PendingChange = { ...shown('account', 'gke', '+ command: gke'), ...kept };
const newProd: PendingChange = { ...shown('cluster', 'prod', '+ server: https://a'), ...kept };

function setUp({ held = [heldEks], changes = [newGke, newProd] } = {}) {
  const account = (name: string) => ({ name, config: { execPlugin: { command: name } } });
  const config = {
    ...noEntries,
    accounts: new Map(['eks', 'gke', 'calm'].map((name) => [name, account(name)])),
    clusters: new Map([['prod', {}]]),
    settings: { lock: {} },
  } as unknown as LoadedConfig;
  const state = { config, answer: 'y', canPrompt: true, whileAsked: () => undefined as unknown };
  const [taken, recorded, asked]: [unknown[], HistoryEvent[], string[]] = [[], [], []];
  const shown: string[] = [];
  const command = confirmCommand({
    config: { current: () => state.config },
    recorder: { record: (event) => void recorded.push(event) },
    bindings: {
      changes: () => changes,
      approve: async (all, { forgetGone } = {}) => void taken.push({ ...all, forgetGone }),
    },
    programs: { held: async () => held },
    kubectl: { of: async () => new Map(), next: async () => 'kubectl' },
    vault: new FakeVault({ secrets: { old: { token: new Secret('t') } } }),
    look: async ({ command: name }) => program(`/usr/bin/${name}`, `of ${name}`),
  });
  const run = async (...args: string[]) => {
    const call = commandCall(args);
    const terminal = {
      ...call.terminal,
      canPrompt: state.canPrompt,
      print: (text: string) => void shown.push(text),
      ask: async (question: string) => {
        asked.push(question);
        state.whileAsked();
        return new Secret(state.answer);
      },
    };
    return command({ ...call, terminal });
  };
  return { state, run, taken, recorded, asked, shown };
}

describe('lanyard confirm', () => {
  it('shows what changed, with the programs, and takes just that', async () => {
    const { run, taken, recorded, shown } = setUp();
    expect(await run()).toMatchObject({
      code: 0,
      stderr: `Approved 3 changes.
The vault still has the login or secrets of old. Remove them: lanyard account remove old
Next: kubectl
`,
    });
    expect(shown.join('')).toBe(`program of eks (changed)
  ! Runs a program that changed
  - /usr/bin/aws, SHA-256 one
  + /usr/bin/aws, owner root, SHA-256 two
account gke (new)
  + command: gke
  program: /usr/bin/gke, owner root, SHA-256 of gke
cluster prod (new)
  + server: https://a
3 changes: 1 new account, 1 new cluster, 1 changed program. 1 needs a closer look, shown first. Nothing is issued for a new account, cluster, registry or inventory until you approve it. A plugin whose program changed is not run until you approve it.
`);
    expect(taken).toEqual([
      {
        changes: [newGke, newProd],
        programs: { gke: { path: '/usr/bin/gke', sha256: 'of gke' } },
        changedPrograms: [heldEks],
        forgetGone: true,
      },
    ]);
    expect(recorded).toEqual(
      ['gke', 'prod', 'eks'].map((name) => ({ kind: 'change', what: 'binding.confirm', name })),
    );
  });

  it('calls a module one', async () => {
    const changed = someProgram('/lib/p11.so', { sha256: 'two', isLibrary: true });
    const held: ChangedProgram = {
      account: 'card',
      change: 'changed',
      before: { path: '/lib/p11.so', sha256: 'one' },
      now: changed,
    };
    const newCard: PendingChange = { ...shown('account', 'other', '+ module: /lib/p11.so'), ...kept };
    const { run, state, shown: texts } = setUp({ held: [held], changes: [newCard] });
    const pkcs11 = { module: '/lib/p11.so', env: [] };
    const accounts = new Map(['card', 'other'].map((name) => [name, { name, config: { pkcs11 } }]));
    state.config = { ...state.config, accounts } as unknown as LoadedConfig;
    await run();
    expect(texts.join('')).toBe(`module of card (changed)
  ! Loads a library that changed
  - /lib/p11.so, SHA-256 one
  + /lib/p11.so, owner root, SHA-256 two
account other (new)
  + module: /lib/p11.so
  module: /usr/bin//lib/p11.so, owner root, SHA-256 of /lib/p11.so
2 changes: 1 new account, 1 changed module. 1 needs a closer look, shown first. Nothing is issued for a new account, cluster, registry or inventory until you approve it. A PKCS#11 module that changed is not loaded until you approve it.
`);
  });

  it('takes what waits under one name alone', async () => {
    const { run, taken, shown } = setUp();
    expect(await run('eks')).toMatchObject({ code: 0, stderr: 'Approved one change.\n' });
    expect(shown.join('')).not.toContain('gke');
    expect(taken).toEqual([{ changes: [], programs: {}, changedPrograms: [heldEks], forgetGone: false }]);
    expect(await run('prod')).toMatchObject({ code: 0 });
    expect(taken[1]).toEqual({ changes: [newProd], programs: {}, changedPrograms: [], forgetGone: false });
    expect(await run('calm')).toMatchObject({ stderr: 'Nothing of calm is pending approval.\n' });
    expect(await run('lock')).toMatchObject({ code: 0 });
    await expect(run('calmm')).rejects.toMatchObject({ reason: 'notFound' });
  });

  it('says so where nothing waits', async () => {
    const { run, asked } = setUp({ held: [], changes: [] });
    expect(await run()).toMatchObject({ code: 0, stderr: 'Nothing is pending approval.\n' });
    expect(asked).toEqual([]);
  });

  it('takes nothing without a yes, without a terminal, and where config.yaml changed meanwhile', async () => {
    const { run, state, taken, recorded } = setUp();
    state.answer = '';
    await expect(run()).rejects.toMatchObject({ code: 'confirm.denied' });
    state.canPrompt = false;
    await expect(run()).rejects.toMatchObject({ code: 'confirm.noTerminal' });
    Object.assign(state, { answer: 'y', canPrompt: true });
    state.whileAsked = () => {
      state.config = { ...state.config, accounts: new Map() };
    };
    await expect(run('eks')).rejects.toMatchObject({ code: 'confirm.changed' });
    expect([taken, recorded]).toEqual([[], []]);
  });

  const riskyProfile = (held: ChangedProgram[]) => {
    const risky: PendingChange = {
      ...shown('cluster', 'gke', '+ insecureSkipTlsVerify: true'),
      ...{ before: null, after: '{"insecureSkipTlsVerify":true}', form: null },
    };
    const of = setUp({ held, changes: [newGke, risky] });
    const origin = { inventory: 'fleet', namespace: 'team', name: 'gke', uid: 'u', provider: 'eks' };
    const profile = { name: 'gke', config: { server: 'https://gke' }, origin } as unknown as LoadedCluster;
    of.state.config = { ...of.state.config, clusters: new Map([['gke', profile]]) };
    return of;
  };

  it('does not call a changed program one that needs no closer look', async () => {
    const { run, taken, asked } = riskyProfile([heldEks]);
    expect(await run()).toMatchObject({ code: 0 });
    expect(asked[0]).toContain('Approve the 2 changes, but no cluster of a hub that needs a closer look?');
    expect(taken).toMatchObject([{ changes: [newGke], changedPrograms: [heldEks] }]);
  });

  it('asks by itself about what a hub says under the name of something else', async () => {
    const { run, taken, asked } = riskyProfile([]);
    expect(await run('gke')).toMatchObject({
      code: 0,
      stderr: 'Approved one change.\nThe others are still pending.\n',
    });
    expect(asked).toEqual([
      expect.stringContaining('Approve the change that needs no closer look?'),
      // Not answered by y.
      ...Array.from({ length: 3 }, () =>
        expect.stringContaining('Also approve the one that needs a closer look?'),
      ),
    ]);
    expect(taken).toMatchObject([{ changes: [newGke] }]);
  });

  it('lists as JSON, and takes nothing', async () => {
    const { run, taken, asked } = setUp();
    const { stdout } = await run('--json');
    expect(JSON.parse(stdout ?? '')).toEqual([
      {
        ...shown('account', 'gke', '+ command: gke'),
        program: program('/usr/bin/gke', 'of gke'),
      },
      shown('cluster', 'prod', '+ server: https://a'),
      {
        what: 'program',
        name: 'eks',
        change: 'changed',
        before: { path: '/usr/bin/aws', sha256: 'one' },
        now: { path: '/usr/bin/aws', target: '/usr/bin/aws', sha256: 'two', owner: { uid: 0, name: 'root' } },
      },
    ]);
    expect([taken, asked]).toEqual([[], []]);
  });
});
