import { hash } from 'node:crypto';
import { exitCodes } from '../../contract/exit-codes.ts';
import { kubeRequest } from '../../contract/frames.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { type ExecRequest, formatExecCredential, parseExecInfo } from '../../domain/exec-credential.ts';
import type { Grant } from '../../grants/grant.ts';
import type { GrantRequest, Grants } from '../../grants/grants.ts';
import { terminalPrompter } from '../../grants/login-prompter.ts';
import type { LoginPrompter } from '../../ports/account.ts';
import type { Caller } from '../../ports/caller.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LoadedCluster } from '../../ports/config-store.ts';
import type { Recorder } from '../../ports/history.ts';
import { type Door, type DoorAnswer, type DoorContext, refusalAnswer } from '../door.ts';
import { parseKubeArguments } from './arguments.ts';
import { type AskPersonDeps, findApproved, recheck } from './ask-person.ts';

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
    const answered = info.ok
      ? await answer({ ...args, arrived, said: digestOf(parsed.data) }, info.request, context, deps)
      : info;
    if ('ok' in answered) {
      deps.recorder.record({
        kind: 'call',
        door: 'kube',
        caller: context.caller,
        account: args.account,
        cluster: args.cluster,
        audience: null,
        outcome: 'refused',
        reason: answered.code,
        generation: null,
        microseconds: microsecondsSince(arrived),
      });
      return refusalAnswer(answered);
    }
    return answered;
  };
}

async function answer(
  args: { account: string; cluster: string | null; arrived: bigint; said: string },
  request: ExecRequest,
  context: DoorContext,
  deps: KubeDoorDeps,
): Promise<DoorAnswer | Refusal> {
  const locked = deps.gate();
  if (locked) {
    return locked;
  }
  const account = deps.directory.account(args.account);
  if (!account.ok) {
    return account;
  }
  const asked = { question: { ...args, request }, account: account.account };
  const found = await findApproved(asked, context, deps);
  if (!found.ok) {
    return found;
  }
  let waited = false;
  const granted = await deps.grants.obtain(account.account, {
    audience: found.cluster.config.audience ?? null,
    delivery: clientOf(context.caller, args.said, found.cluster),
    prompter: prompterFor(request, context, args.account),
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
  const changed = waited ? recheck({ ...asked, cluster: found.cluster }, deps) : deps.gate();
  if (changed) {
    return changed;
  }
  deps.recorder.record({
    kind: 'call',
    door: 'kube',
    caller: context.caller,
    account: args.account,
    cluster: found.cluster.name,
    audience: found.cluster.config.audience ?? null,
    outcome: 'handedOut',
    reason: granted.how,
    generation: granted.grant.generation,
    microseconds: microsecondsSince(args.arrived),
  });
  return { code: exitCodes.good, stdout: reply(request, granted.grant, deps.clock) };
}

/** Only a client that passed its terminal on, in a session that has one, gets to see a device code (rule 2). */
function prompterFor(request: ExecRequest, context: DoorContext, account: string): LoginPrompter | null {
  return request.interactive && context.terminal.canPrompt
    ? terminalPrompter(account, context.terminal)
    : null;
}

/** Who gets the answer, for the inferred 401 (rule 5): a process and what it said. Null where nobody can tell. */
function clientOf(caller: Caller, said: string, cluster: LoadedCluster): GrantRequest['delivery'] {
  return caller.sure
    ? { client: `${caller.pid} ${caller.startTime} ${caller.executableId} ${said}`, cluster }
    : null;
}

function digestOf({ args, execInfo }: { args: string[]; execInfo: string | null }): string {
  return hash('sha256', JSON.stringify([args, execInfo]), 'base64');
}

function microsecondsSince(start: bigint): number {
  return Number((process.hrtime.bigint() - start) / 1000n);
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
