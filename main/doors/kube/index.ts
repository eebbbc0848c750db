import { hash } from 'node:crypto';
import { exitCodes } from '../../contract/exit-codes.ts';
import { type KubeRequest, kubeRequest } from '../../contract/frames.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { type ExecRequest, formatExecCredential, parseExecInfo } from '../../domain/exec-credential.ts';
import type { Grant } from '../../grants/grant.ts';
import type { GrantRequest, Grants } from '../../grants/grants.ts';
import { terminalPrompter } from '../../grants/login-prompter.ts';
import type { LoginPrompter } from '../../ports/account.ts';
import type { Caller } from '../../ports/caller.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LoadedCluster } from '../../ports/config-store.ts';
import type { CallEvent, Recorder } from '../../ports/history.ts';
import { type Door, type DoorAnswer, type DoorContext, refusalAnswer } from '../door.ts';
import { parseKubeArguments } from './arguments.ts';
import { type AskPersonDeps, findApproved, recheck } from './ask-person.ts';
import type { KubeQuestion } from './find-cluster.ts';

/** How long a helper is told to wait for a renewal, and for a person who logs in. */
const renewalSeconds = 60;
const loginSeconds = 900;

export interface KubeDoorDeps extends AskPersonDeps {
  grants: Pick<Grants, 'obtain'>;
  recorder: Recorder;
  clock: Clock;
}

/** The kube door: KEP-541 as its provider. One request, one ExecCredential or one refusal. */
export function createKubeDoor(deps: KubeDoorDeps): Door {
  return async (request, context) => {
    const arrived = process.hrtime.bigint();
    const parsed = kubeRequest.safeParse(request);
    if (!parsed.success) {
      return refusalAnswer(refuse('internal', 'kube.request', 'the helper’s request can’t be read'));
    }
    const args = parseKubeArguments(parsed.data.args);
    if (!args.ok) {
      return refusalAnswer(args);
    }
    const bytes = parsed.data.execInfo === null ? null : Buffer.from(parsed.data.execInfo, 'base64');
    const info = parseExecInfo(bytes);
    const record = (decision: Decision) =>
      deps.recorder.record({
        kind: 'call',
        door: 'kube',
        caller: context.caller,
        account: args.account,
        microseconds: Number((process.hrtime.bigint() - arrived) / 1000n),
        ...decision,
      });
    const answered = info.ok
      ? await answer({ ...args, request: info.request }, { said: parsed.data, record }, context, deps)
      : info;
    if ('ok' in answered) {
      const { cluster } = args;
      record({ cluster, audience: null, outcome: 'refused', reason: answered.code, generation: null });
      return refusalAnswer(answered);
    }
    return answered;
  };
}

/** What is on record of a call beside who asked, for which account, and how long it took. */
type Decision = Pick<CallEvent, 'cluster' | 'audience' | 'outcome' | 'reason' | 'generation'>;

interface Call {
  said: KubeRequest;
  record(decision: Decision): void;
}

async function answer(
  question: KubeQuestion,
  { said, record }: Call,
  context: DoorContext,
  deps: KubeDoorDeps,
): Promise<DoorAnswer | Refusal> {
  const locked = deps.gate();
  if (locked) {
    return locked;
  }
  const account = deps.directory.account(question.account);
  if (!account.ok) {
    return account;
  }
  const asked = { question, account: account.account };
  const found = await findApproved(asked, context, deps);
  if (!found.ok) {
    return found;
  }
  const { request } = question;
  const { cluster } = found;
  const audience = cluster.config.audience ?? null;
  let waited = false;
  const granted = await deps.grants.obtain(account.account, {
    audience,
    delivery: deliveryTo(context.caller, said, cluster),
    prompter: prompterFor(request, context, question.account),
    wish: { flow: null, atThisMachine: context.caller.origin === 'local' },
    onWait: (reason) => {
      waited = true;
      context.terminal.extend(reason === 'login' ? loginSeconds : renewalSeconds);
    },
    signal: context.signal,
  });
  if (!granted.ok) {
    return granted;
  }
  // The lock in any case: even what is held may have been read from a file.
  const changed = waited ? recheck({ ...asked, cluster }, deps) : deps.gate();
  if (changed) {
    return changed;
  }
  const { grant, how } = granted;
  record({
    cluster: cluster.name,
    audience,
    outcome: 'handedOut',
    reason: how,
    generation: grant.generation,
  });
  return { code: exitCodes.good, stdout: reply(request, grant, deps.clock) };
}

/** Only a client that passed its terminal on, in a session that has one, gets to see a device code (rule 2). */
function prompterFor(request: ExecRequest, context: DoorContext, account: string): LoginPrompter | null {
  return request.interactive && context.terminal.canPrompt
    ? terminalPrompter(account, context.terminal)
    : null;
}

/** Who gets the answer, for the inferred 401 (rule 5): a process and what it said. Null where nobody can tell. */
function deliveryTo(caller: Caller, said: KubeRequest, cluster: LoadedCluster): GrantRequest['delivery'] {
  if (!caller.sure) {
    return null;
  }
  const words = hash('sha256', JSON.stringify([said.args, said.execInfo]), 'base64');
  return { client: `${caller.pid} ${caller.startTime} ${caller.executableId} ${words}`, cluster };
}

function reply(request: ExecRequest, grant: Grant, clock: Clock): string {
  const { token, certificate } = grant.credential;
  return formatExecCredential(request.apiVersion, {
    token: token?.reveal() ?? null,
    clientCertificateData: certificate?.chainPem ?? null,
    clientKeyData: certificate?.keyPem.reveal() ?? null,
    expiresAt: grant.expirationForClient(clock),
  });
}
