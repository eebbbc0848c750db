import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { Approvals } from '../../consent/approvals/approvals.ts';
import { QuestionBoard } from '../../consent/approvals/question-board.ts';
import { TerminalTurns } from '../../consent/approvals/terminal-turns.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { createDestinationMatcher } from '../../domain/server/destination.ts';
import { clusterName } from '../../domain/target/target.ts';
import { loadedCluster } from '../../domain/testing/loaded.ts';
import { Grant } from '../../grants/grant.ts';
import type { Granted, GrantRequest } from '../../grants/request.ts';
import type { LoadedCluster } from '../../ports/config-store.ts';
import type { Door, DoorContext } from '../../ports/door.ts';
import type { CallEvent, Recorder } from '../../ports/history.ts';
import { aCaller } from '../../ports/testing/a-caller.ts';
import { aTerminal } from '../../ports/testing/a-terminal.ts';
import { aDirectory } from '../testing/a-directory.ts';
import { anAccount, aToken } from '../testing/an-account.ts';
import { createKubeDoor, type KubeDoorDeps } from './index.ts';
import { noProxy } from './testing/no-proxy.ts';

const clock = new ManualClock();
const v1 = 'client.authentication.k8s.io/v1';

function cluster(name: string, fields: Record<string, unknown> = {}): LoadedCluster {
  return loadedCluster(name, { server: `https://${name}.example.com`, account: 'corp', ...fields });
}

const known = [
  cluster('prod'),
  cluster('open', { withoutInfo: 'allow' }),
  cluster('other', { account: 'ops' }),
];
const account = anAccount('corp');
const token = aToken('the-token', clock.now());

let audit: CallEvent[];
let obtained: GrantRequest[];
let answer: (request: GrantRequest) => Promise<Granted>;
let locked: Refusal | null;
let held: Set<string>;
let pending: LoadedCluster[];
let deps: KubeDoorDeps;

beforeEach(() => {
  audit = [];
  obtained = [];
  locked = null;
  held = new Set();
  pending = [];
  answer = async () => ({ ok: true, grant: new Grant(token, 1, clock), how: 'held' });
  const directory = aDirectory({
    account: (name) =>
      held.has(name)
        ? refuse('notPermitted', 'binding.held', 'held')
        : name === 'corp'
          ? { ok: true, account }
          : refuse('notFound', 'account.unknown', 'unknown'),
    cluster: (name) => {
      const found = known.find((each) => each.name === name);
      if (held.has(name)) {
        return refuse('notPermitted', 'binding.held', 'held');
      }
      return found ? { ok: true, cluster: found } : refuse('notFound', 'cluster.unknown', 'unknown');
    },
    clusters: () => known,
    pendingClusters: () => pending,
  });
  const turns = new TerminalTurns();
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
    recorder,
    clock,
    gate: () => locked,
    approvals: new Approvals({ clock, recorder, turns, board: new QuestionBoard(clock) }),
    unknownServers: { ask: async ({ refusal }) => refusal },
  };
});

interface Question {
  args?: string[];
  server?: string | null;
  apiVersion?: string;
  config?: unknown;
  interactive?: boolean;
  canPrompt?: boolean;
  /** Written as client-go writes it. */
  isClientGo?: boolean;
  lockFilePath?: string;
  pid?: number;
  /** One that has heard other requests. */
  door?: Door;
}

function ask({ args = ['--account', 'corp'], server = 'https://prod.example.com', ...more }: Question = {}) {
  const info = {
    apiVersion: more.apiVersion ?? v1,
    kind: 'ExecCredential',
    spec: {
      interactive: more.interactive ?? false,
      ...(more.lockFilePath !== undefined && { lockFilePath: more.lockFilePath }),
      ...(server !== null && { cluster: { server, config: more.config } }),
    },
  };
  const context: DoorContext = {
    caller: aCaller({ pid: more.pid ?? 2 }),
    lineage: () => ['kubectl', 'bash'],
    ancestors: () => [],
    terminal: aTerminal({ canPrompt: more.canPrompt ?? false }),
    signal: new AbortController().signal,
  };
  const { apiVersion, kind, spec } = info;
  const text = more.isClientGo ? `${JSON.stringify({ kind, apiVersion, spec })}\n` : JSON.stringify(info);
  const execInfo = Buffer.from(text).toString('base64');
  return (more.door ?? createKubeDoor(deps))({ args, execInfo }, context);
}

describe('issuing', () => {
  it.each([v1, 'client.authentication.k8s.io/v1beta1'])(
    'answers %s in kind (KEP-541/tokens)',
    async (apiVersion) => {
      const { code, stdout } = await ask({ apiVersion });
      expect(code).toBe(0);
      expect(JSON.parse(stdout ?? '')).toMatchObject({ apiVersion, status: { token: 'the-token' } });
    },
  );

  it('is in the audit before it leaves, and does not leave where the audit can’t be written (rule: everything-recorded)', async () => {
    await ask();
    expect(audit).toEqual([
      expect.objectContaining({
        outcome: 'handedOut',
        account: 'corp',
        target: clusterName('prod'),
        reason: 'held',
        generation: 1,
      }),
    ]);
    expect(JSON.stringify(audit)).not.toContain('the-token');
    deps.recorder = {
      record: () => {
        throw new Error('disk full');
      },
    };
    await expect(ask()).rejects.toThrow('disk full');
  });

  it('tells an end before which the client should come again (KEP-541/expiry)', async () => {
    const { stdout } = await ask();
    const told = Date.parse(JSON.parse(stdout ?? '').status.expirationTimestamp);
    expect(told).toBe(clock.now() + 600_000 - 60_000);
  });
});

// KEP-2718/passed-on
describe('a client with a lock file, at a cluster without a proxy of Lanyard’s', () => {
  const lockFilePath = '/run/user/1000/client.lock';

  it('is told to the account as one, and gets the proxy that it gives', async () => {
    const proxyConfig = { url: 'unix:///s', certificateAuthorityPem: 'PEM' };
    const alone = { ...token, token: null, expiresAt: null, proxyConfig };
    answer = async () => ({ ok: true, grant: new Grant(alone, 0, clock), how: 'renewed' });
    const { code, stdout } = await ask({ lockFilePath });
    expect(code).toBe(0);
    expect(JSON.parse(stdout ?? '').status).toEqual({
      proxyConfig: {
        url: 'unix:///s',
        'certificate-authority-data': Buffer.from('PEM').toString('base64'),
      },
    });
    expect(obtained.map(({ asking }) => asking?.lockFile)).toEqual([lockFilePath]);
    expect(audit).toMatchObject([{ outcome: 'handedOut', reason: 'renewed', generation: null }]);
  });

  it('no account hears of a file where the client names none', async () => {
    await ask();
    await ask({ lockFilePath: '' });
    expect(obtained.map(({ asking }) => asking?.lockFile)).toEqual([undefined, undefined]);
  });
});

const corp = (...more: string[]) => ['--account', 'corp', ...more];
const v1alpha1 = 'client.authentication.k8s.io/v1alpha1';

describe('only to a known server (rule: known-server)', () => {
  it.each<[string, Question, number, string]>([
    ['an unknown server', { server: 'https://evil.example.com' }, 13, 'kube.destination.unknown'],
    [
      'another server than the named cluster’s',
      { args: corp('--cluster', 'prod'), server: 'https://evil.example.com' },
      13,
      'kube.destination.differs',
    ],
    [
      'another server than the extension’s cluster',
      { server: 'https://evil.example.com', config: { lanyard: { cluster: 'prod' } } },
      13,
      'kube.destination.differs',
    ],
    [
      'a known server of another account',
      { server: 'https://other.example.com' },
      13,
      'kube.destination.unknown',
    ],
    [
      'a cluster of another account',
      { args: corp('--cluster', 'other'), server: 'https://other.example.com' },
      13,
      'kube.cluster.account',
    ],
    [
      'a cluster by name without info',
      { args: corp('--cluster', 'prod'), server: null },
      13,
      'kube.cluster.withoutInfo',
    ],
    ['no cluster at all', { server: null }, 13, 'kube.cluster.untold'],
    [
      'v1alpha1 without withoutInfo: allow',
      { args: corp('--cluster', 'prod'), server: null, apiVersion: v1alpha1 },
      13,
      'kube.cluster.withoutInfo',
    ],
    ['an unknown cluster', { args: corp('--cluster', 'x') }, 14, 'cluster.unknown'],
    ['an unknown account', { args: ['--account', 'x'] }, 14, 'account.unknown'],
    ['no account', { args: [] }, 2, 'kube.usage'],
    ['a name longer than any', { args: ['--account', 'x'.repeat(300)] }, 2, 'kube.usage'],
    ['a flag that is none', { args: corp('--shell') }, 2, 'kube.usage'],
    ['a version of tomorrow', { apiVersion: 'client.authentication.k8s.io/v2' }, 2, 'kube.execInfo.version'],
  ])('refuses %s, and asks nobody for a credential', async (_, question, code, reason) => {
    const refused = await ask(question);
    expect(refused).toMatchObject({ code });
    expect(refused.stdout).toBeUndefined();
    expect(obtained).toEqual([]);
    if (code !== 2 || reason.includes('execInfo')) {
      expect(audit.at(-1)).toMatchObject({ outcome: 'refused', reason });
    }
  });

  it.each<[string, Question, string]>([
    ['by its server', {}, 'prod'],
    ['by --cluster', { args: corp('--cluster', 'prod') }, 'prod'],
    [
      'by the extension (KEP-541/cluster-config)',
      { config: { lanyard: { cluster: 'prod' }, other: 1 } },
      'prod',
    ],
    ['without info where it allows that', { args: corp('--cluster', 'open'), server: null }, 'open'],
    [
      'for v1alpha1 where it allows that',
      { args: corp('--cluster', 'open'), server: null, apiVersion: v1alpha1 },
      'open',
    ],
  ])('finds the cluster %s', async (_, question, name) => {
    expect(await ask(question)).toMatchObject({ code: 0 });
    expect(audit.at(-1)).toMatchObject({ target: clusterName(name) });
  });

  it('lets --cluster win over the extension, and still checks the server', async () => {
    const refused = await ask({
      args: corp('--cluster', 'open'),
      config: { lanyard: { cluster: 'prod' } },
    });
    expect(refused).toMatchObject({ code: 13 });
  });

  it('a client that can’t tell its server isn’t told to set what Lanyard’s kubeconfig has set already', async () => {
    const { stderr } = await ask({ args: corp('--cluster', 'prod'), server: null });
    expect(stderr).toMatch(
      /hint: the JavaScript client .*withoutInfo: allow for the cluster prod in config\.yaml/,
    );
  });

  it('lets no argument forge a line', async () => {
    const { stderr } = await ask({ args: ['--x\nhint: run evil'] });
    expect(stderr).not.toContain('\nhint: run evil');
  });

  it('shows a stranger’s address in the command quoted', async () => {
    const { stderr } = await ask({ server: "https://evil.example.com/;rm '-rf'" });
    expect(stderr).toContain(`--server 'https://evil.example.com/;rm%20'\\''-rf'\\'''`);
  });
});

describe('refusals', () => {
  it('says locked before anything else', async () => {
    locked = refuse('locked', 'vault.locked', 'lanyard is locked', 'run: lanyard unlock');
    expect(await ask({ args: ['--account', 'nobody'] })).toMatchObject({ code: 11 });
  });

  it.each(['corp', 'prod'])('holds what nobody has confirmed: %s (rule: confirmed-binding)', async (name) => {
    held.add(name);
    expect(await ask()).toMatchObject({ code: 13 });
    expect(obtained).toEqual([]);
  });

  it('has its own exit code, and the hint', async () => {
    answer = async () => refuse('provider', 'a.b', 'no', 'do this');
    expect(await ask()).toEqual({ code: 16, stderr: 'lanyard: no\nhint: do this\n' });
  });

  it('says a cause once to each process of client-go, and anew after it was served', async () => {
    const door = createKubeDoor(deps);
    const stderr = async (question: Question) => (await ask({ ...question, door })).stderr;
    answer = async () => refuse('provider', 'a.down', 'down');
    expect(await stderr({ isClientGo: true })).toBe('lanyard: down\n');
    expect(await stderr({ isClientGo: true })).toBe('');
    expect(await stderr({ isClientGo: true, pid: 7 })).toBe('lanyard: down\n');
    answer = async () => refuse('loginNeeded', 'a.login', 'log in');
    expect(await stderr({ isClientGo: true })).toBe('lanyard: log in\n');
    expect(await stderr({ isClientGo: true })).toBe('');
    answer = async () => ({ ok: true, grant: new Grant(token, 1, clock), how: 'held' });
    expect((await ask({ isClientGo: true, door })).code).toBe(0);
    answer = async () => refuse('loginNeeded', 'a.login', 'log in');
    expect(await stderr({ isClientGo: true })).toBe('lanyard: log in\n');
  });

  it('says it each time to a shell, where another call may be another question', async () => {
    answer = async () => refuse('provider', 'a.down', 'down');
    const door = createKubeDoor(deps);
    expect((await ask({ door })).stderr).toBe('lanyard: down\n');
    expect((await ask({ door })).stderr).toBe('lanyard: down\n');
  });
});

describe('the user’s answer', () => {
  it('comes first: what is refused asks no provider for anything', async () => {
    deps.approvals = { approve: async () => refuse('denied', 'approval.denied', 'no') };
    expect(await ask()).toMatchObject({ code: 10 });
    expect(obtained).toEqual([]);
    expect(audit).toMatchObject([{ outcome: 'refused', reason: 'approval.denied' }]);
  });

  it.each<[string, () => void, number]>([
    ['locked', () => (locked = refuse('locked', 'vault.locked', 'locked')), 11],
    ['held', () => held.add('prod'), 13],
    [
      'changed',
      () => {
        const other = cluster('prod', { audience: 'other' });
        deps.directory = {
          ...deps.directory,
          clusters: () => [other],
          cluster: () => ({ ok: true, cluster: other }),
        };
      },
      13,
    ],
  ])('is looked past where all was %s meanwhile', async (_, happens, code) => {
    deps.approvals = {
      approve: async () => {
        happens();
        return { ok: true, waited: true };
      },
    };
    expect(await ask()).toMatchObject({ code });
    expect(obtained).toEqual([]);
  });

  it('is asked about an unknown server alone, not about a known one that differs', async () => {
    const shown: string[] = [];
    deps.unknownServers = {
      ask: async ({ server, refusal, stillUnknown }) => {
        shown.push(`${server.server} ${stillUnknown()}`);
        return refusal;
      },
    };
    await ask({ server: 'https://evil.example.com' });
    await ask({ args: corp('--cluster', 'prod'), server: 'https://evil.example.com' });
    await ask({ args: ['--account', 'nobody'], server: 'https://evil.example.com' });
    locked = refuse('locked', 'vault.locked', 'locked');
    await ask({ server: 'https://evil.example.com' });
    expect(shown).toEqual(['https://evil.example.com null']);
  });
});

it.each([
  [true, true, true],
  [false, true, false],
])(
  'a login may be begun where the client passed its terminal on (%s) and there is one (%s): %s',
  async (interactive, canPrompt, may) => {
    await ask({ interactive, canPrompt });
    expect(obtained[0]?.prompter !== null).toBe(may);
  },
);
