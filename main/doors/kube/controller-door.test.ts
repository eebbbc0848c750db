import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { createDestinationMatcher } from '../../domain/server/destination.ts';
import { clusterName } from '../../domain/target/target.ts';
import { loadedProfile } from '../../domain/testing/loaded.ts';
import { Grant } from '../../grants/grant.ts';
import type { Granted, GrantRequest } from '../../grants/request.ts';
import type { LoadedCluster } from '../../ports/config-store.ts';
import type { DoorContext } from '../../ports/door.ts';
import type { CallEvent, Recorder } from '../../ports/history.ts';
import { aCaller } from '../../ports/testing/a-caller.ts';
import { aTerminal } from '../../ports/testing/a-terminal.ts';
import { aDirectory } from '../testing/a-directory.ts';
import { anAccount, aToken } from '../testing/an-account.ts';
import { type ControllerDoorDeps, createControllerDoor } from './controller-door.ts';
import { noProxy } from './testing/no-proxy.ts';

const clock = new ManualClock();
const server = 'https://eu.example.com';

const inUse = (name: string, config: object = {}) =>
  loadedProfile(name, { server, account: 'corp', ...config });

const account = anAccount('corp');
const token = aToken('the-token', clock.now());
const granted: Granted = { ok: true, grant: new Grant(token, 1, clock), how: 'held' };

let audit: CallEvent[];
let obtained: GrantRequest[];
let answer: (request: GrantRequest) => Promise<Granted>;
let locked: Refusal | null;
let known: LoadedCluster[];
let unapproved: Set<string>;
let deps: ControllerDoorDeps;

beforeEach(() => {
  audit = [];
  obtained = [];
  locked = null;
  known = [inUse('eu')];
  unapproved = new Set();
  answer = async () => granted;
  const directory = aDirectory({
    account: () =>
      unapproved.has('corp') ? refuse('notPermitted', 'binding.held', 'held') : { ok: true, account },
    cluster: (name) => {
      const found = known.find((each) => each.name === name);
      return found && !unapproved.has(name)
        ? { ok: true, cluster: found }
        : refuse('notPermitted', 'binding.held', 'held');
    },
    clusters: () => known,
    pendingClusters: () => known.filter(({ name }) => unapproved.has(name)),
  });
  const recorder: Recorder = { record: (event) => void (event.kind === 'call' && audit.push(event)) };
  deps = {
    proxy: noProxy,
    directory,
    destination: createDestinationMatcher(),
    grants: {
      obtain: (_, request) => {
        obtained.push(request);
        return answer(request);
      },
    },
    approvals: { approve: async () => ({ ok: true, waited: false }) },
    recorder,
    clock,
    gate: () => locked,
  };
});

function ask(args = ['--provider', 'eks'], at = server, origin: 'local' | 'ssh' = 'local') {
  const context: DoorContext = {
    caller: aCaller({ executable: '/usr/bin/controller', origin }),
    lineage: () => ['controller', 'bash'],
    ancestors: () => [],
    terminal: aTerminal({ canPrompt: true, canLend: true, ask: () => expect.unreachable() }),
    signal: new AbortController().signal,
  };
  const info = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: { interactive: true, cluster: { server: at } },
  };
  const execInfo = Buffer.from(JSON.stringify(info)).toString('base64');
  return createControllerDoor(deps)({ args, execInfo }, context);
}

it('answers for the profile, on record under its own door before it leaves (rule: everything-recorded)', async () => {
  const { code, stdout } = await ask();
  expect(code).toBe(0);
  expect(JSON.parse(stdout ?? '')).toMatchObject({ status: { token: 'the-token' } });
  expect(audit).toEqual([
    expect.objectContaining({
      door: 'controller',
      outcome: 'handedOut',
      account: 'corp',
      target: clusterName('eu'),
    }),
  ]);
  deps.recorder = {
    record: () => {
      throw new Error('disk full');
    },
  };
  await expect(ask()).rejects.toThrow('disk full');
});

it('begins no login, and waits for none, whatever the client says of a terminal (rule: no-storms)', async () => {
  await ask();
  expect(obtained[0]).toMatchObject({ prompter: null, wish: { flow: null, atThisMachine: false } });
  expect(obtained[0]?.wantedBy).toBeUndefined();
  expect(obtained[0]?.attendant?.interactive).toBe(false);
  answer = async () => refuse('loginNeeded', 'oidc.login', 'corp needs a login', 'run: lanyard login corp');
  expect(await ask()).toEqual({
    code: 15,
    stderr: 'lanyard: corp needs a login\nhint: run: lanyard login corp\n',
  });
  expect(audit.at(-1)).toMatchObject({ outcome: 'refused', account: 'corp', target: clusterName('eu') });
});

describe('what is refused (rule: known-server)', () => {
  it.each<[string, () => void, string]>([
    ['locked', () => (locked = refuse('locked', 'vault.locked', 'locked')), 'vault.locked'],
    ['an unapproved profile', () => unapproved.add('eu'), 'binding.held'],
    ['an unapproved account', () => unapproved.add('corp'), 'binding.held'],
    ['no such profile', () => (known = []), 'controller.unknown'],
    [
      'a cluster of config.yaml',
      () => (known = [{ ...inUse('eu'), origin: undefined }]),
      'controller.unknown',
    ],
    ['several', () => known.push(inUse('us')), 'controller.ambiguous'],
    ['another way', () => (known = [inUse('eu', { proxyUrl: 'http://p:1' })]), 'controller.differs'],
    [
      'denied',
      () => (deps.approvals = { approve: async () => refuse('denied', 'approval.denied', 'no') }),
      'approval.denied',
    ],
  ])('is on record, and asks nobody for a credential: %s', async (_, happens, reason) => {
    happens();
    const refused = await ask();
    expect(refused.stdout).toBeUndefined();
    expect(obtained).toEqual([]);
    expect(audit).toMatchObject([{ door: 'controller', outcome: 'refused', reason }]);
  });

  it.each([
    [
      ['--provider', 'eks', '--region', 'eu'],
      "unknown option '--region'",
      /profileSourcedCLIArgsPolicy to Ignore/,
    ],
    [['--provider', 'eks', 'token'], "unexpected argument 'token'", /profileSourcedCLIArgsPolicy to Ignore/],
    [
      ['--provider', 'eks', '--profile', 'eu'],
      '--profile is ',
      /^usage: .* \[--profile INVENTORY:NAMESPACE\/NAME\]$/,
    ],
  ])('names the likely cause of arguments that it can’t read: %j', async (args, fault, hint) => {
    const { code, stderr = '' } = await ask(args);
    expect(code).toBe(2);
    expect(stderr.toLowerCase()).toContain(fault);
    expect(/\nhint: (.*)\n$/.exec(stderr)?.[1]).toMatch(hint);
  });

  it('names one of several whole, as --profile takes it', async () => {
    known.push(inUse('us'));
    const { stderr = '' } = await ask();
    const [, whole = ''] = /--profile (\S+)\n$/.exec(stderr) ?? [];
    expect(whole).toMatch(/^[^:]+:[^/]+\/eu$/);
    expect(await ask(['--provider', 'eks', '--profile', whole])).toMatchObject({ code: 0 });
  });

  it('does not count an unapproved one among several', async () => {
    known.push(inUse('us'));
    unapproved.add('us');
    expect(await ask()).toMatchObject({ code: 0 });
    expect(audit.at(-1)).toMatchObject({ target: clusterName('eu') });
  });

  it.each<[string, () => void, number]>([
    ['dropped', () => (known = []), 13],
    ['no longer the only one', () => (known = [inUse('eu'), inUse('us')]), 13],
  ])('is what was %s while its credential was fetched', async (_, happens, code) => {
    answer = async ({ onWait }) => {
      onWait('renewal');
      happens();
      return granted;
    };
    expect(await ask()).toMatchObject({ code });
    expect(audit).toMatchObject([{ outcome: 'refused' }]);
  });

  it('lets no address forge a line or a command', async () => {
    const { stderr } = await ask(['--provider', 'x\nhint: run evil'], "https://evil.example.com/'$(x)");
    expect(stderr).not.toContain('\nhint: run evil');
    expect(stderr).toMatch(
      /\nhint: find it with: lanyard inventory list; then: lanyard inventory use NAME\n$/,
    );
  });
});
