import type { Bindings } from '../../access/bindings.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import { type Refusal, refuse } from '../../contract/refusal.ts';
import { sessionKey } from '../../domain/approval/approval.ts';
import type { DestinationMatcher } from '../../domain/server/destination.ts';
import type { ExecCluster } from '../../domain/server/exec-cluster.ts';
import { type NewCluster, nameForServer, newCluster } from '../../domain/server/new-cluster.ts';
import { clusterName } from '../../domain/target/target.ts';
import type { Account } from '../../ports/account.ts';
import type { Caller } from '../../ports/caller.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ConfigStore } from '../../ports/config-store.ts';
import type { HistoryEvent, Recorder } from '../../ports/history.ts';
import type { Terminal } from '../../ports/terminal.ts';
import type { BoardAnswer, Elsewhere, QuestionBoard } from './question-board.ts';
import { QuestionDesk } from './question-desk.ts';
import { isYes } from './question-text.ts';
import { RecentRefusals } from './recent-refusals.ts';
import type { TerminalTurns } from './terminal-turns.ts';
import {
  isName,
  isUnchecked,
  nameText,
  type UnknownServerShown,
  unknownServerAbout,
  unknownServerText,
} from './unknown-server-text.ts';
import type { AskLine, Reply } from './waiter.ts';

/** Limit of wrong names before the question counts as left. */
const nameAttempts = 3;

export interface UnknownServerRequest {
  account: Account;
  server: ExecCluster;
  caller: Caller;
  lineage(): readonly string[];
  terminal: Terminal;
  /** The client passed its terminal on: the user may be there. */
  interactive: boolean;
  signal: AbortSignal;
  /** Checks again that all is as it was when the server was found unknown; null: it is. */
  stillUnknown(): Refusal | 'known' | null;
  /** What the caller is told where the server is not added. */
  refusal: Refusal;
}

export interface UnknownServersDeps {
  clock: Clock;
  recorder: Recorder;
  turns: TerminalTurns;
  board: QuestionBoard;
  config: Pick<ConfigStore, 'current' | 'problems' | 'edit' | 'reload' | 'stated'>;
  bindings: Pick<Bindings, 'approve' | 'changesTo' | 'activeConfig'>;
  destination: DestinationMatcher;
}

export type UnknownServerOutcome = { ok: true } | Refusal;

type ApprovalEvent = Extract<HistoryEvent, { kind: 'approval' }>;
type Word = 'added' | 'no' | Refusal;
type Made = NewCluster & { ok: true };

/**
 * The question about a server that is in no cluster (rule: known-server), as SSH asks about an unknown host: a Yes
 * writes the cluster into config.yaml and approves it; No is the default. One question for all requests with the same
 * server.
 */
export class UnknownServers {
  readonly #deps: UnknownServersDeps;
  readonly #desk: QuestionDesk<Word>;
  readonly #refusals: RecentRefusals;

  constructor(deps: UnknownServersDeps) {
    this.#deps = deps;
    this.#desk = new QuestionDesk({ ...deps, says: (word) => (word === 'added' ? 'yes' : 'no') });
    this.#refusals = new RecentRefusals(deps.clock);
  }

  async ask(request: UnknownServerRequest): Promise<UnknownServerOutcome> {
    const made = newCluster(request.server, request.account.name);
    if (!made.ok) {
      return { ...request.refusal, hint: `lanyard can’t add it: ${made.fault}` };
    }
    const { config, bindings, destination } = this.#deps;
    const broken = config.problems().some(({ severity }) => severity === 'error');
    // A server that is known with another CA is not new, whatever its cluster.
    const near = destination.findCluster(request.server, bindings.activeConfig().clusters.values());
    if (broken || (!near.ok && near.reason === 'unknown' && near.nearest !== null)) {
      return request.refusal;
    }
    const what = JSON.stringify(made.value);
    const refused = this.#refusals.find(request.caller, what);
    if (refused) {
      return refused;
    }
    const reply = await this.#desk.ask({
      key: what,
      terminalId: sessionKey(request.caller),
      terminal: request.terminal,
      canBeAsked: request.interactive && request.terminal.canPrompt,
      signal: request.signal,
      dialogue: (ask, take) => this.#dialogue({ ask, take }, request, made),
      about: async () => unknownServerAbout(await shown(request, made)),
      answered: async (answer, where) => ({
        value: await this.#answered({ answer, where }, request, made),
        covers: 'all',
      }),
    });
    const outcome = this.#outcome(reply, request);
    if (!outcome.ok && reply.kind !== 'nobody' && reply.kind !== 'ended') {
      this.#refusals.add(request.caller, what, outcome);
    }
    return outcome;
  }

  /** Lanyard is locked: every question ends. */
  lock(refusal: Refusal): void {
    this.#desk.endAll(refusal);
  }

  async #dialogue(
    { ask, take }: { ask: AskLine; take: () => void },
    request: UnknownServerRequest,
    made: Made,
  ): Promise<Word | null> {
    // The terminal's turn may have come late: another question may have added the server.
    const before = request.stillUnknown();
    if (before !== null) {
      return before === 'known' ? 'added' : before;
    }
    const line = await ask(unknownServerText(await shown(request, made)));
    if (line === null) {
      return null;
    }
    const yes = isUnchecked(request.server) ? line.trim() === 'yes' : isYes(line);
    const name = yes ? await this.#askName(ask, request.server) : null;
    take();
    if (name === null) {
      this.#record(request, { outcome: 'denied', where: 'terminal' });
      return 'no';
    }
    const word = await this.#add({ name, where: 'terminal' }, made.value, request);
    if (word === 'added') {
      request.terminal.print(`Added the cluster ${name} to config.yaml.\n`);
    }
    return word;
  }

  /** A No from a page; a name from the broker's own window, for what was shown there. */
  async #answered(
    { answer, where }: { answer: BoardAnswer; where: Elsewhere },
    request: UnknownServerRequest,
    made: Made,
  ): Promise<Word> {
    if (typeof answer !== 'object') {
      this.#record(request, { outcome: 'denied', where });
      return 'no';
    }
    const fault = this.nameFault(answer.name);
    if (fault !== null) {
      throw new BrokerError('question.name', fault, { reason: 'usage' });
    }
    return this.#add({ name: answer.name, where }, made.value, request);
  }

  /** A free name for a cluster at this address. */
  suggestedName(server: string): string {
    return nameForServer(server, (name) => this.#deps.config.current().clusters.has(name));
  }

  /** Why no new cluster can have this name; null: it can. */
  nameFault(name: string): string | null {
    if (!isName(name)) {
      return 'a name is letters and digits, with . _ @ : / - within';
    }
    return this.#deps.config.current().clusters.has(name) ? 'there is a cluster of that name already' : null;
  }

  /** Null: none of the names is free. */
  async #askName(ask: AskLine, server: ExecCluster): Promise<string | null> {
    const suggested = this.suggestedName(server.server);
    let trouble: string | null = null;
    for (let attempt = 0; attempt < nameAttempts; attempt++) {
      const line: string | null = await ask(nameText(suggested, trouble));
      const name = line?.trim() || suggested;
      if (line === null) {
        return null;
      }
      trouble = this.nameFault(name);
      if (trouble === null) {
        return name;
      }
    }
    return null;
  }

  /** The user was thinking meanwhile: everything is checked again, and only what was shown is taken. */
  async #add(
    { name, where }: { name: string; where: ApprovalEvent['where'] },
    value: Record<string, unknown>,
    request: UnknownServerRequest,
  ): Promise<Word> {
    const { config, bindings, recorder } = this.#deps;
    await config.reload();
    const changed = request.stillUnknown();
    if (changed !== null) {
      return changed === 'known' ? 'added' : changed;
    }
    if (config.current().clusters.has(name)) {
      return changedMeanwhile();
    }
    const edits = [{ kind: 'set', what: 'cluster', name, value } as const];
    await config.edit(edits);
    const stated = await config.stated(edits);
    const added = stated.clusters.get(name);
    if (!added || !this.#deps.destination.match(request.server, added).ok) {
      return changedMeanwhile();
    }
    // What was shown is approved, not what the file says by now.
    await bindings.approve({ changes: bindings.changesTo(stated) });
    this.#record(request, { outcome: 'approved', where }, name);
    recorder.record({ kind: 'change', what: 'cluster.add', name });
    return 'added';
  }

  #outcome(reply: Reply<Word>, request: UnknownServerRequest): UnknownServerOutcome {
    switch (reply.kind) {
      case 'answered':
        if (reply.value === 'added') {
          return { ok: true };
        }
        return reply.value === 'no' ? request.refusal : reply.value;
      case 'left':
        this.#record(request, { outcome: 'denied', where: 'terminal' });
        return request.refusal;
      case 'nobody':
        return request.refusal;
      case 'timedOut':
        this.#record(request, { outcome: 'nobody', where: null });
        return request.refusal;
      case 'ended':
        return reply.refusal;
    }
  }

  #record(
    { caller, account, server }: UnknownServerRequest,
    { outcome, where }: Pick<ApprovalEvent, 'outcome' | 'where'>,
    name: string | null = null,
  ): void {
    this.#deps.recorder.record({
      kind: 'approval',
      caller,
      account: account.name,
      // A server that isn't added has no name but its address.
      target: clusterName(name ?? nameForServer(server.server, () => false)),
      policy: 'unknownServer',
      outcome,
      where,
    });
  }
}

async function shown(request: UnknownServerRequest, made: Made): Promise<UnknownServerShown> {
  const { subject } = await request.account.state();
  const { account, authority } = { account: request.account.name, authority: made.authority };
  return { ...request, account, subject, authority, lineage: request.lineage() };
}

function changedMeanwhile(): Refusal {
  const what = 'config.yaml was changed by another program while you were asked';
  return refuse('notPermitted', 'kube.destination.changed', what, 'try again');
}
