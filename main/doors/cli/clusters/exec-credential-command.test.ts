import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { Secret } from '../../../base/secret.ts';
import { Approvals } from '../../../consent/approvals/approvals.ts';
import { QuestionBoard } from '../../../consent/approvals/question-board.ts';
import { TerminalTurns } from '../../../consent/approvals/terminal-turns.ts';
import { toRefusal } from '../../../contract/broker-error.ts';
import { exitCodes } from '../../../contract/exit-codes.ts';
import { type Refusal, refuse } from '../../../contract/refusal.ts';
import { clusterTarget } from '../../../domain/target/cluster-target.ts';
import { clusterName } from '../../../domain/target/target.ts';
import { loadedCluster } from '../../../domain/testing/loaded.ts';
import { Grant } from '../../../grants/grant.ts';
import type { Granted, GrantRequest } from '../../../grants/request.ts';
import type { Account, Credential } from '../../../ports/account.ts';
import type { LoadedCluster } from '../../../ports/config-store.ts';
import { refusalAnswer } from '../../../ports/door.ts';
import type { CallEvent, HistoryEvent } from '../../../ports/history.ts';
import { aDirectory } from '../../testing/a-directory.ts';
import { anAccount, aToken } from '../../testing/an-account.ts';
import { commandCall } from '../testing/command-call.ts';
import { type ExecCredentialDeps, execCredentialCommand } from './exec-credential-command.ts';

const v1 = 'client.authentication.k8s.io/v1';

let clock: ManualClock;
let clusters: Map<string, LoadedCluster>;
let accounts: Map<string, Account | Refusal>;
let events: HistoryEvent[];
let obtained: GrantRequest[];
let asked: string[];
let locked: Refusal | null;
let credential: Credential;
let deps: ExecCredentialDeps;
/** Happens while the user thinks, or while the grant is renewed. */
let meanwhile: () => void;

beforeEach(() => {
  clock = new ManualClock();
  clusters = new Map();
  accounts = new Map();
  events = [];
  obtained = [];
  asked = [];
  locked = null;
  meanwhile = () => undefined;
  credential = token('the-token');
  accounts.set('corp', anAccount('corp'));
  setCluster('prod');
  const recorder = { record: (event: HistoryEvent) => void events.push(event) };
  deps = {
    gate: () => locked,
    directory: aDirectory({
      account: (name) => {
        const found = accounts.get(name) ?? refuse('notFound', 'account.unknown', 'unknown');
        return 'kind' in found ? { ok: true, account: found } : found;
      },
      cluster: (name) => {
        const found = clusters.get(name);
        return found ? { ok: true, cluster: found } : refuse('notFound', 'cluster.unknown', 'unknown');
      },
      clusters: () => [...clusters.values()],
    }),
    grants: {
      obtain: async (_, request): Promise<Granted> => {
        obtained.push(request);
        if (obtained.length === 1) {
          request.onWait('renewal');
          meanwhile();
        }
        return { ok: true, grant: new Grant(credential, 1, clock), how: 'renewed' };
      },
    },
    approvals: new Approvals({
      clock,
      recorder,
      turns: new TerminalTurns(),
      board: new QuestionBoard(clock),
    }),
    recorder,
    clock,
  };
});

const token = (text: string) => aToken(text, clock.now());

function certificate(): Credential {
  const keyPem = new Secret('-----BEGIN PRIVATE KEY-----\n');
  return {
    token: null,
    certificate: { chainPem: '-----BEGIN CERTIFICATE-----\n', keyPem },
    issuedAt: null,
    expiresAt: null,
  };
}

function setCluster(name: string, fields: object = {}): void {
  const config = { server: 'https://prod', account: 'corp', execCredential: 'allow', ...fields };
  clusters.set(name, loadedCluster(name, config));
}

/** `answer`: what the user types; null: no one is there. */
async function run(
  args: string[] = [],
  { answer = null, seen = false }: { answer?: string | null; seen?: boolean } = {},
) {
  const call = commandCall(['--account', 'corp', '--cluster', 'prod', ...args]);
  const terminal: typeof call.terminal = {
    ...call.terminal,
    stdoutIsTerminal: seen,
    canPrompt: answer !== null,
    ask: async (text) => {
      asked.push(text);
      meanwhile();
      return answer === null ? null : new Secret(answer);
    },
  };
  return execCredentialCommand(deps)({ ...call, terminal }).catch((error: unknown) =>
    refusalAnswer(toRefusal(error)),
  );
}

const lock = () => {
  locked = refuse('locked', 'vault.locked', 'locked');
};
const calls = () => events.filter((event): event is CallEvent => event.kind === 'call');
const policies = () =>
  events.flatMap((event) => (event.kind === 'approval' ? [[event.policy, event.outcome]] : []));

describe('what is printed', () => {
  it('json: an ExecCredential, with an end before which one should ask again (KEP-541/expiry)', async () => {
    const { code, stdout, stderr } = await run();
    expect([code, stderr]).toEqual([0, undefined]);
    const { apiVersion, kind, status } = JSON.parse(stdout ?? '');
    expect([apiVersion, kind, status.token]).toEqual([v1, 'ExecCredential', 'the-token']);
    expect(Date.parse(status.expirationTimestamp)).toBe(clock.now() + 600_000 - 60_000);
  });

  it.each([
    ['token', 'the-token\n'],
    ['header', 'Authorization: Bearer the-token\n'],
  ])('%s: one line, and nothing else', async (form, text) => {
    expect(await run(['--output', form])).toEqual({ code: 0, stdout: text });
  });

  it('json: a certificate with its key', async () => {
    credential = certificate();
    const { status } = JSON.parse((await run()).stdout ?? '');
    expect(status).toEqual({
      clientCertificateData: '-----BEGIN CERTIFICATE-----\n',
      clientKeyData: '-----BEGIN PRIVATE KEY-----\n',
    });
  });

  it.each(['token', 'header'])(
    '%s of a certificate is a mistake in the command line, and said',
    async (form) => {
      credential = certificate();
      const { code, stdout, stderr } = await run(['--output', form]);
      expect([code, stdout]).toEqual([exitCodes.usage, undefined]);
      expect(stderr).toContain('--output json');
      expect(calls()).toMatchObject([{ outcome: 'refused', reason: 'execCredential.noToken' }]);
    },
  );

  it('token of an account that has certificates alone: no account is asked for it', async () => {
    accounts.set('corp', anAccount('corp', 'clientCertificate'));
    setCluster('prod', { execCredential: 'ask' });
    expect(await run(['--output', 'token'], { answer: 'y' })).toMatchObject({ code: exitCodes.usage });
    expect([asked, obtained]).toEqual([[], []]);
  });

  it.each(['a b', 'a\r\nX-Other: 1', 'a\u001b[2J', 'a\ufdd1', 'ä'])(
    'a token that is no header’s word is refused: %j',
    async (text) => {
      credential = token(text);
      for (const form of ['token', 'header']) {
        const { code, stdout, stderr } = await run(['--output', form]);
        expect([code, stdout]).toEqual([exitCodes.provider, undefined]);
        expect(stderr).not.toContain(text);
      }
      const { stdout = '' } = await run();
      expect(JSON.parse(stdout).status.token).toBe(text);
      // Neither a control character nor one that the helper takes for a style.
      expect(stdout.trimEnd()).not.toMatch(/\p{C}/u);
    },
  );

  it('the user who sees it on the screen is told what it is', async () => {
    expect((await run([], { seen: true })).stderr).toContain('keep it to yourself');
    expect((await run([], { seen: false })).stderr).toBeUndefined();
  });
});

describe('its own permission', () => {
  it('ask: the user is asked once, and yes prints it', async () => {
    setCluster('prod', { execCredential: 'ask' });
    const { code, stdout } = await run(['--output', 'token'], { answer: 'y' });
    expect([code, stdout, asked.length]).toEqual([0, 'the-token\n', 1]);
    expect(asked[0]).toContain('raw credential');
    expect(policies()).toEqual([['execCredential', 'approved']]);
  });

  it.each(['', 'n', 'yess'])('ask: %j is a No', async (answer) => {
    setCluster('prod', { execCredential: 'ask' });
    expect(await run([], { answer })).toMatchObject({ code: exitCodes.denied });
    expect(obtained).toEqual([]);
    expect(calls()).toMatchObject([{ outcome: 'refused', reason: 'approval.denied' }]);
  });

  it('ask, without a terminal: refused, with the line that allows it', async () => {
    setCluster('prod', { execCredential: 'ask' });
    const { code, stdout, stderr } = await run();
    expect([code, stdout]).toEqual([exitCodes.notPermitted, undefined]);
    expect(stderr).toContain('execCredential: allow');
    expect(obtained).toEqual([]);
    expect(policies()).toEqual([['execCredential', 'nobody']]);
  });

  it('refuse: no one is asked, also at a terminal', async () => {
    setCluster('prod', { execCredential: 'refuse' });
    expect(await run([], { answer: 'y' })).toMatchObject({ code: exitCodes.notPermitted });
    expect([asked, obtained]).toEqual([[], []]);
    expect(calls()).toMatchObject([
      { reason: 'execCredential.refused', target: clusterName('prod'), door: 'cli' },
    ]);
  });

  it.each<[string, string, string, number[]]>([
    ['ask, and never', 'ask', 'never', [1, 2]],
    ['ask, and always: one question, not two', 'ask', 'always', [1, 2]],
    ['ask, and an hour: a yes is for the one call', 'ask', '1h', [1, 2]],
    ['allow, and always', 'allow', 'always', [1, 2]],
    ['allow, and an hour', 'allow', '1h', [1, 1]],
    ['allow, and never', 'allow', 'never', [0, 0]],
  ])('beside the cluster’s approval: %s', async (_, execCredential, approval, questions) => {
    setCluster('prod', { execCredential, approval });
    for (const count of questions) {
      expect(await run([], { answer: 'y' })).toMatchObject({ code: 0 });
      expect(asked).toHaveLength(count);
    }
  });

  it('a yes to a client that reads the kubeconfig is none to a print', async () => {
    setCluster('prod', { execCredential: 'ask', approval: '1h' });
    const call = commandCall([]);
    const terminal = { ...call.terminal, canPrompt: true, ask: async () => new Secret('y') };
    const cluster = clusters.get('prod');
    await deps.approvals.approve({
      ...call,
      terminal,
      target: clusterTarget(cluster as LoadedCluster),
      interactive: true,
    });
    expect(await run()).toMatchObject({ code: exitCodes.notPermitted });
  });

  it('a No is for the one command: the same shell is asked again', async () => {
    setCluster('prod', { execCredential: 'ask' });
    await run([], { answer: 'n' });
    expect(await run([], { answer: 'y' })).toMatchObject({ code: 0 });
  });
});

describe('refused', () => {
  it.each<[string, () => void, keyof typeof exitCodes, string]>([
    ['locked', lock, 'locked', 'vault.locked'],
    ['an unknown account', () => accounts.delete('corp'), 'notFound', 'account.unknown'],
    [
      'an account that is held (rule: confirmed-binding)',
      () => accounts.set('corp', refuse('notPermitted', 'binding.held', 'held')),
      'notPermitted',
      'binding.held',
    ],
    ['an unknown cluster', () => clusters.delete('prod'), 'notFound', 'cluster.unknown'],
    [
      'another account’s cluster (rule: known-server)',
      () => setCluster('prod', { account: 'ops' }),
      'notPermitted',
      'execCredential.account',
    ],
    [
      'no credential',
      () => {
        deps.grants = { obtain: async () => refuse('loginNeeded', 'grant.none', 'none') };
      },
      'loginNeeded',
      'grant.none',
    ],
  ])(
    '%s: its own exit code, on record, and nothing on stdout (rule: distinct-refusals, everything-recorded)',
    async (_, happens, reason, code) => {
      happens();
      const answer = await run([], { answer: 'y' });
      expect([answer.code, answer.stdout, asked]).toEqual([exitCodes[reason], undefined, []]);
      expect(calls()).toEqual([
        expect.objectContaining({
          door: 'cli',
          account: 'corp',
          target: clusterName('prod'),
          outcome: 'refused',
          reason: code,
          generation: null,
        }),
      ]);
    },
  );

  it.each([
    ['no cluster', ['--cluster', '']],
    ['a form that is none', ['--output', 'yaml']],
    ['a name longer than any', ['--account', 'x'.repeat(300)]],
    ['a word too many', ['prod']],
    ['an option that is none', ['--force']],
  ])('%s: usage, and nothing on record', async (_, args) => {
    const { code, stdout } = await run(args);
    expect([code, stdout, events]).toEqual([exitCodes.usage, undefined, []]);
  });

  it.each<[string, string, () => void, keyof typeof exitCodes]>([
    ['locked', 'allow', lock, 'locked'],
    ['forbidden', 'allow', () => setCluster('prod', { execCredential: 'refuse' }), 'notPermitted'],
    ['locked while a person thinks', 'ask', lock, 'locked'],
    [
      'forbidden while a person thinks',
      'ask',
      () => setCluster('prod', { execCredential: 'refuse' }),
      'notPermitted',
    ],
  ])('%s meanwhile: nothing leaves', async (_, execCredential, happens, reason) => {
    setCluster('prod', { execCredential });
    meanwhile = happens;
    const { code, stdout } = await run([], { answer: 'y' });
    expect([code, stdout]).toEqual([exitCodes[reason], undefined]);
    expect(calls()).toMatchObject([{ outcome: 'refused' }]);
    expect(obtained).toHaveLength(execCredential === 'ask' ? 0 : 1);
  });
});

describe('on record', () => {
  it('is in the audit before it leaves, without the token', async () => {
    await run();
    expect(calls()).toEqual([
      expect.objectContaining({
        door: 'cli',
        account: 'corp',
        target: clusterName('prod'),
        outcome: 'handedOut',
        reason: 'renewed',
        generation: 1,
      }),
    ]);
    expect(JSON.stringify(events)).not.toContain('the-token');
  });

  it('does not leave where the audit can’t be written (rule: everything-recorded)', async () => {
    deps.recorder = {
      record: () => {
        throw new Error('disk full');
      },
    };
    expect(await run()).toMatchObject({ code: exitCodes.internal });
  });

  it('asks for the cluster’s audience, and takes no call for a sign of a 401 (rule: inferred-401)', async () => {
    setCluster('prod', { audience: 'of-prod' });
    await run();
    expect(obtained).toMatchObject([{ target: { audience: 'of-prod' }, recipient: null }]);
  });

  it('a login may begin where the user is at the terminal, and nowhere else (rule: no-storms)', async () => {
    await run([], { answer: 'y' });
    await run();
    expect(obtained.map(({ prompter }) => prompter !== null)).toEqual([true, false]);
  });
});
