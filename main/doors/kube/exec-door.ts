import type { DoorName } from '../../contract/doors.ts';
import { exitCodes } from '../../contract/exit-codes.ts';
import type { Refusal } from '../../contract/refusal.ts';
import type { ClusterTarget } from '../../domain/target/cluster-target.ts';
import { nameOf, type TargetName } from '../../domain/target/target.ts';
import type { Account } from '../../ports/account.ts';
import type { Caller } from '../../ports/caller.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Door, type DoorAnswer, type DoorContext, refusalAnswer } from '../../ports/door.ts';
import type { Recorder } from '../../ports/history.ts';
import type { ProxyEntrance } from '../../ports/request-proxy.ts';
import { execCredentialText } from '../exec-credential-text.ts';
import {
  type CallRecord,
  type IssueDeps,
  issue,
  type Permitted,
  recordingCall,
  refusedAs,
} from '../issue.ts';
import type { FoundTarget } from './find-cluster.ts';
import { issueWayIn } from './issue-way-in.ts';
import {
  type ArgumentReader,
  createRequestReader,
  type ExecCall,
  type ExecQuestion,
} from './read-request.ts';
import { ToldCauses } from './told-causes.ts';

export interface ExecDoorDeps extends IssueDeps {
  recorder: Recorder;
  clock: Clock;
  proxy: ProxyEntrance;
}

/** In what the doors of KEP-541 differ: how a client names what it wants. */
export interface ExecWay<Named> {
  door: DoorName;
  readArguments: ArgumentReader<Named>;
  /** For the record of what is refused; null: the client didn’t name it. */
  recorded(named: Named): { account: string | null; target: TargetName | null };
  /** The account and the cluster, approved. Not asked while locked. */
  find(
    question: ExecQuestion<Named>,
    context: DoorContext,
  ): Promise<{ ok: true; account: Account; target: ClusterTarget } | Refusal>;
  /** Finds the cluster again, after a wait. */
  again(question: ExecQuestion<Named>): FoundTarget;
  /** The user may be there: a login may begin, be shown, or be waited for. */
  isAttended: boolean;
}

/** A door of KEP-541 as its provider: one request, one ExecCredential or one refusal. */
export function createExecDoor<Named extends object>(way: ExecWay<Named>, deps: ExecDoorDeps): Door {
  const read = createRequestReader(way.readArguments);
  const said = new ToldCauses();
  return async (request, context) => {
    const call = read(request);
    const { caller } = context;
    const arrived = process.hrtime.bigint();
    const recording = (account: string | null) =>
      recordingCall({ door: way.door, caller, account }, deps.recorder, arrived);
    if (!call.ok) {
      if (call.named) {
        const { account, target } = way.recorded(call.named);
        recording(account)(refusedAs(call.refusal, target));
      }
      return refusalAnswer(call.refusal);
    }
    const named = way.recorded(call.question);
    const what = named.account ?? call.words;
    const answered = await answer(call, recording, context);
    if ('ok' in answered) {
      const { code, stderr = '' } = refusalAnswer(answered);
      // Of other programs, such as a shell, each call may be for another question of the user's.
      const isSaid = !call.isFromClientGo || said.isNews(caller, what, answered.code);
      return { code, stderr: isSaid ? stderr : '' };
    }
    said.served(caller, what);
    return answered;
  };

  async function answer(
    call: ExecCall<Named>,
    recording: (account: string | null) => CallRecord,
    context: DoorContext,
  ): Promise<DoorAnswer | Refusal> {
    const { question } = call;
    const named = way.recorded(question);
    const found = deps.gate() ?? (await way.find(question, context));
    if (!found.ok) {
      recording(named.account)(refusedAs(found, named.target));
      return found;
    }
    const { account, target } = found;
    const { request } = question;
    const record = recording(account.name);
    const permitted: Permitted = {
      account,
      target,
      again: () => way.again(question),
      client: clientOf(context.caller, call),
      onlyAfter401: call.isFromClientGo,
      interactive: way.isAttended && request.interactive,
      isAttended: way.isAttended,
      context,
      format: (grant) => execCredentialText(request.apiVersion, grant, account.name, deps.clock),
      record,
    };
    const handed =
      target.cluster.config.proxy === undefined
        ? await issue({ ...permitted, lockFile: request.lockFilePath ?? undefined }, deps)
        : await issueWayIn({ ...permitted, target, request }, deps);
    if (!handed.ok) {
      record(refusedAs(handed, nameOf(target)));
      return handed;
    }
    return { code: exitCodes.good, stdout: handed.text };
  }
}

/** Who gets the answer, for the inferred 401 (rule: inferred-401): a process and its words. Null: unknown. */
function clientOf(caller: Caller, { words }: { words: string }): string | null {
  if (!caller.sure) {
    return null;
  }
  return `${caller.pid} ${caller.startTime} ${caller.executableId} ${words}`;
}
