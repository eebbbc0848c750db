import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { PageYes } from '../../contract/ui/state.ts';
import {
  type ApprovalPolicy,
  type ApprovalSubject,
  answerScope,
  approvalPolicy,
  coverOf,
  sessionKey,
} from '../../domain/approval/approval.ts';
import { clusterKind, nameOf, type Target, targetKey } from '../../domain/target/target.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HistoryEvent, Recorder } from '../../ports/history.ts';
import type { ApprovalRequest } from './approval-request.ts';
import { approvalAbout, approvalText } from './approval-text.ts';
import type { QuestionBoard } from './question-board.ts';
import { QuestionDesk } from './question-desk.ts';
import { isYes } from './question-text.ts';
import { RecentRefusals } from './recent-refusals.ts';
import type { TerminalTurns } from './terminal-turns.ts';
import type { Reply } from './waiter.ts';

/** Limit of the remembered answers; the oldest is dropped, and asked for again. */
const answerLimit = 1024;

/** `waited`: the user was asked meanwhile, so all earlier checks must be repeated. */
export type Approved = { ok: true; waited: boolean } | Refusal;

export interface ApprovalsDeps {
  clock: Clock;
  recorder: Recorder;
  turns: TerminalTurns;
  board: QuestionBoard;
}

type ApprovalEvent = Extract<HistoryEvent, { kind: 'approval' }>;

interface Answer extends ApprovalSubject {
  /** In milliseconds on the boottime clock; null: until it is forgotten. */
  until: number | null;
}

/** Whether the user lets a cluster's credential go to its requester; an approval is remembered, only in memory. */
export class Approvals {
  readonly #deps: ApprovalsDeps;
  readonly #desk: QuestionDesk<boolean>;
  readonly #refusals: RecentRefusals;
  readonly #answers = new Map<string, Answer>();
  /** Counts the times of forgetting: an answer to a question from before is for its own call only. */
  #epoch = 0;

  constructor(deps: ApprovalsDeps) {
    this.#deps = deps;
    this.#desk = new QuestionDesk({ ...deps, says: (yes) => (yes ? 'yes' : 'no') });
    this.#refusals = new RecentRefusals(deps.clock);
  }

  /** Asks where the cluster's policy requires it and no earlier answer covers the request; No is the default. */
  async approve(request: ApprovalRequest): Promise<Approved> {
    const { target, caller } = request;
    const policy = policyFor(request);
    if (policy.kind === 'never') {
      return { ok: true, waited: false };
    }
    const subject: ApprovalSubject = {
      account: target.account,
      target: targetKey(target),
      shape: target.shape,
    };
    const scope = answerScope(policy, subject, caller);
    if (this.#isCovered(scope, policy, subject, caller)) {
      return { ok: true, waited: false };
    }
    const what = JSON.stringify(subject);
    const refused = this.#refusals.find(caller, what);
    if (refused) {
      return refused;
    }
    const epoch = this.#epoch;
    const say = (answer: 'no' | PageYes, where: ApprovalEvent['where']): boolean => {
      this.#record(request, answer === 'no' ? 'denied' : 'approved', where);
      const cover = answer === 'no' ? null : coverOf(answer, policy, this.#deps.clock.boottime());
      const covered = cover && answerScope(cover.policy, subject, caller);
      if (cover && covered !== null && epoch === this.#epoch) {
        this.#remember(covered, { ...subject, until: cover.until });
      }
      return answer !== 'no';
    };
    const reply = await this.#desk.ask({
      key: scope,
      terminalId: sessionKey(caller),
      terminal: request.terminal,
      canBeAsked: request.interactive && request.terminal.canPrompt,
      signal: request.signal,
      dialogue: async (ask, take) => {
        const line = await ask(approvalText(request, policy, scope !== null));
        if (line === null) {
          return null;
        }
        take();
        return say(isYes(line) ? 'policy' : 'no', 'terminal');
      },
      about: async () => approvalAbout(request, policy),
      answered: async (answer, where) => {
        const word = typeof answer === 'object' ? 'no' : answer;
        return {
          value: say(word, where),
          covers: word === 'no' || isWhole(word, policy) ? 'all' : 'terminal',
        };
      },
    });
    const outcome = this.#outcome(reply, request);
    // A command's caller is usually a shell, which may well ask again.
    if (!outcome.ok && !request.print && reply.kind !== 'nobody' && reply.kind !== 'ended') {
      this.#refusals.add(caller, what, outcome);
    }
    return outcome;
  }

  /** The user logged the account out, or it has changed. */
  forgetAccount(account: string): void {
    this.#forget((answer) => answer.account === account);
  }

  /** The configuration changed: answers for a changed or removed target are forgotten. */
  refresh(targets: Iterable<Target>): void {
    const shapes = new Map([...targets].map((target) => [targetKey(target), target.shape]));
    this.#forget(({ target, shape }) => shapes.get(target) !== shape);
  }

  /** Lanyard is locked: every question ends, and every answer is forgotten. */
  lock(refusal: Refusal): void {
    this.#forget(() => true);
    this.#desk.endAll(refusal);
  }

  /** An approval for one terminal is found there even if the policy covers more. */
  #isCovered(
    scope: string | null,
    policy: ApprovalPolicy,
    subject: ApprovalSubject,
    caller: ApprovalRequest['caller'],
  ): boolean {
    const terminal =
      policy.kind === 'duration' ? answerScope({ kind: 'perTerminal' }, subject, caller) : null;
    return [scope, terminal].some((each) => each !== null && this.#covers(each));
  }

  #covers(scope: string): boolean {
    const answer = this.#answers.get(scope);
    if (answer && answer.until !== null && answer.until <= this.#deps.clock.boottime()) {
      this.#answers.delete(scope);
      return false;
    }
    return answer !== undefined;
  }

  #remember(scope: string, answer: Answer): void {
    this.#answers.delete(scope);
    this.#answers.set(scope, answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= answerLimit) {
        break;
      }
      this.#answers.delete(oldest);
    }
  }

  #forget(which: (answer: Answer) => boolean): void {
    this.#epoch++;
    for (const [scope, answer] of this.#answers) {
      if (which(answer)) {
        this.#answers.delete(scope);
      }
    }
  }

  #outcome(reply: Reply<boolean>, request: ApprovalRequest): Approved {
    const { name } = request.target;
    switch (reply.kind) {
      case 'answered':
        return reply.value
          ? { ok: true, waited: true }
          : refuse('denied', 'approval.denied', `the credential for ${name} was not approved`);
      case 'left':
        this.#record(request, 'denied', 'terminal');
        return refuse('denied', 'approval.unanswered', `no one approved the credential for ${name}`);
      case 'nobody':
        this.#record(request, 'nobody');
        return nobodyRefusal(request);
      case 'timedOut':
        this.#record(request, 'nobody');
        return refuse(
          'timedOut',
          'approval.timedOut',
          `no one answered in time whether ${name} may have its credential`,
          'run it again, and answer y',
        );
      case 'ended':
        return reply.refusal;
    }
  }

  #record(
    request: ApprovalRequest,
    outcome: ApprovalEvent['outcome'],
    where: ApprovalEvent['where'] = null,
  ): void {
    const { caller, target } = request;
    const policy = asksToPrint(request) ? 'execCredential' : target.approval;
    this.#deps.recorder.record({
      kind: 'approval',
      caller,
      account: target.account,
      target: nameOf(target),
      policy,
      outcome,
      where,
    });
  }
}

function policyFor(request: ApprovalRequest): ApprovalPolicy {
  return asksToPrint(request) ? { kind: 'always' } : approvalPolicy(request.target.approval);
}

/** For all callers that the policy covers, even for a shorter time; else those at one terminal. */
function isWhole(answer: PageYes, policy: ApprovalPolicy): boolean {
  return policy.kind !== 'always' && answer !== 'once' && answer !== 'terminal';
}

/** The request can’t be put to the user: what would make that possible depends on who asks, and for what. */
function nobodyRefusal(request: ApprovalRequest): Refusal {
  const { kind, name, approval } = request.target;
  const because = (message: string, hint: string) => refuse('notPermitted', 'approval.nobody', message, hint);
  if (asksToPrint(request)) {
    const what = `you have to allow that the credential for ${name} is printed`;
    return kind === clusterKind
      ? because(
          `${what} (execCredential: ask), and there is no terminal to ask`,
          `run it in a terminal; or, for unattended use, set execCredential: allow for ${name} in config.yaml, then run: lanyard confirm`,
        )
      : because(`${what}, and there is no terminal to ask`, 'run it in a terminal');
  }
  const what = `you have to approve the credential for ${name} (approval: ${approval})`;
  if (kind !== clusterKind && !request.interactive) {
    // docker and a kubelet run their helper without the user’s terminal.
    return because(
      `${what}, and Lanyard’s window isn’t open`,
      `open it (lanyard ui), then try again and approve it there; or, for unattended use, set approval: never for ${name} in config.yaml, then run: lanyard confirm`,
    );
  }
  return because(
    `${what}, and there is no terminal to ask`,
    request.print ? 'run it in a terminal' : 'run it in a terminal, with the terminal as its standard input',
  );
}

function asksToPrint({ print }: ApprovalRequest): boolean {
  return print === 'asked';
}
