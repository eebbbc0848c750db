import type { Disposable } from '../../base/disposables.ts';
import { refuse } from '../../contract/refusal.ts';
import { clusterOf } from '../../domain/target/target.ts';
import type { Attendant, Obtained } from '../../ports/account.ts';
import type { RunOutcome } from '../../ports/program-runner.ts';
import { countedRun } from '../plugins/counted-run.ts';
import { Transcript } from '../plugins/transcript.ts';
import type { Attendants } from './attendants.ts';
import type { Place } from './choose-place.ts';
import type { PluginParts } from './plugin-deps.ts';
import { describeFailure } from './plugin-words.ts';
import { readAnswer } from './rules/read-answer.ts';
import { type RunShape, runOrder, runTarget } from './run-order.ts';
import type { RunningPlugins } from './running-plugins.ts';
import { toCredential } from './to-credential.ts';

export interface PluginRunDeps {
  parts: PluginParts;
  shape: RunShape;
  /** Absolute. */
  program: string;
  place: Place;
  attendants: Attendants;
  running: RunningPlugins;
  /** Another caller could go on in this place; for a run in the broker: at a terminal. */
  hasNext(place: Place): boolean;
}

/**
 * A run without a terminal that takes longer seems to wait for the user: a caller with a terminal that has come is
 * asked instead.
 */
const aloneMilliseconds = 5_000;

/** A caller that waits longer for a plugin at another terminal is told so, or nothing would seem to happen. */
const silentMilliseconds = 2_000;

/** A helper ends what it runs within so many milliseconds of the run's limit. One that only says so is passed over. */
const endingMilliseconds = 10_000;

export type RunEnd =
  | { how: 'done'; obtained: Obtained }
  /** The runner has gone or was stopped, the user ended it, or it has no terminal to lend. */
  | { how: 'passedOn'; outcome: 'lost' | 'interrupted' | 'noTerminal' };

const endedUnseen = refuse(
  'internal',
  'execPlugin.lost',
  'the process that ran the plugin ended before it',
  'try again',
);

function elsewhereText(account: string): string {
  return `lanyard: the plugin of ${account} runs at another terminal; waiting for its answer\n`;
}

/** One run of a plugin in one place. What it says goes to all who wait; its lease ends where the one who runs it does. */
export class PluginRun {
  readonly #deps: PluginRunDeps;
  readonly #taken = new AbortController();
  readonly #transcript: Transcript;
  #lapsed = false;
  #overdue = false;
  #patience: Disposable | null = null;
  /** Newcomers are told at once where it runs. */
  #isSlow = false;

  constructor(deps: PluginRunDeps) {
    this.#deps = deps;
    this.#transcript = new Transcript((text) => {
      for (const each of deps.attendants.all()) {
        this.#tell(each, text);
      }
    });
  }

  /** A new caller waits: it is shown the plugin's earlier output too. */
  welcome(attendant: Attendant): void {
    this.#tell(attendant, this.#transcript.told);
    if (this.#isSlow) {
      this.#tell(attendant, elsewhereText(this.#deps.parts.account.name));
    }
  }

  #tellWhere(): void {
    this.#isSlow = true;
    for (const each of this.#deps.attendants.all()) {
      this.#tell(each, elsewhereText(this.#deps.parts.account.name));
    }
  }

  /** A caller joined or left. Ends a run whose caller has left; passes a lapsed lease to the next. */
  reconsider(): void {
    const { parts, place, attendants, hasNext } = this.#deps;
    if (place.where === 'broker') {
      if (hasNext(place)) {
        this.#patience ??= parts.clock.after(aloneMilliseconds, () => this.#giveWay(place));
      }
    } else if (!attendants.isWaiting(place.attendant)) {
      this.#taken.abort(new Error('the caller that ran the plugin is gone'));
    } else if ((this.#lapsed || this.#overdue) && hasNext(place)) {
      this.#taken.abort(new Error('the lease of the caller that ran the plugin has ended'));
    }
  }

  #giveWay(place: Place): void {
    this.#patience = null;
    if (this.#deps.hasNext(place)) {
      this.#taken.abort(new Error('a user can be asked'));
    }
  }

  async run(signal: AbortSignal): Promise<RunEnd> {
    const { parts, shape, program, place, running, attendants } = this.#deps;
    const made = runOrder(parts, shape, program, place);
    if (!made.ok) {
      return { how: 'done', obtained: made };
    }
    const runner = place.where === 'caller' ? place.runner : parts.runProgram();
    const target = runTarget(shape, attendants.all());
    const atTerminal = place.where === 'caller' && place.terminal;
    const slow = atTerminal ? parts.clock.after(silentMilliseconds, () => this.#tellWhere()) : null;
    const begunAt = parts.clock.boottime();
    const leave = running.add(shape.cluster?.name ?? null, runner);
    // That alone doesn't end it: at a terminal that was stopped (Ctrl-Z) it keeps its full time.
    const limit =
      place.where === 'caller'
        ? parts.clock.after(made.order.timeoutSeconds * 1_000 + endingMilliseconds, () => {
            this.#overdue = true;
            this.reconsider();
          })
        : null;
    let outcome: RunOutcome;
    try {
      outcome = await runner.run(made.order, {
        onStderr: (bytes) => this.#transcript.add(bytes),
        onLapse: (lapsed) => {
          this.#lapsed = lapsed;
          this.reconsider();
        },
        signal: AbortSignal.any([signal, this.#taken.signal]),
      });
    } finally {
      leave();
      void this.#patience?.dispose();
      void slow?.dispose();
      void limit?.dispose();
    }
    const saidWhy = outcome.how === 'signalled' || (outcome.how === 'exited' && outcome.code !== 0);
    this.#transcript.end({ isPrompt: atTerminal && !saidWhy });
    if (outcome.how === 'lost' || outcome.how === 'noTerminal') {
      const isOurs = place.where === 'broker' && !signal.aborted && !this.#taken.signal.aborted;
      return isOurs ? { how: 'done', obtained: endedUnseen } : { how: 'passedOn', outcome: outcome.how };
    }
    const { obtained, counted } = this.#read(outcome, made.order.timeoutSeconds);
    const milliseconds = Math.round(parts.clock.boottime() - begunAt);
    parts.memory.note({
      account: parts.account.name,
      cluster: clusterOf(target),
      at: parts.clock.now(),
      milliseconds,
      where: place.where,
      problem: obtained.ok ? null : obtained.message,
      isByHand: outcome.how === 'interrupted',
      lines: this.#transcript.lastLines,
    });
    if (outcome.how === 'interrupted' && place.where === 'caller') {
      // The user's word at their own terminal, and no failure of the plugin: others may still get their answer.
      return { how: 'passedOn', outcome: outcome.how };
    }
    parts.recorder.record({
      kind: 'pluginRun',
      plugin: 'execPlugin',
      account: parts.account.name,
      target,
      where: place.where,
      ...counted,
      code: obtained.ok ? null : obtained.code,
      milliseconds,
    });
    return { how: 'done', obtained };
  }

  #read(
    outcome: Exclude<RunOutcome, { how: 'lost' } | { how: 'noTerminal' }>,
    seconds: number,
  ): { obtained: Obtained; counted: ReturnType<typeof describeFailure>['counted'] } {
    const { parts, shape, attendants } = this.#deps;
    const { account, config, clock } = parts;
    if (outcome.how !== 'exited' || outcome.code !== 0) {
      const { refusal, counted } = describeFailure(outcome, account.name, config, seconds);
      return { obtained: refusal, counted };
    }
    const counted = countedRun(outcome);
    const read = readAnswer(outcome.stdout, { ...config, passesProxy: shape.lockFile !== null });
    if (!read.ok) {
      return { obtained: read, counted };
    }
    const clients = attendants.all().flatMap(({ client }) => (client === null ? [] : [client]));
    const obtained = toCredential(read.answer, {
      name: account.name,
      now: clock.now(),
      cacheSeconds: config.cacheSeconds,
      clients,
    });
    return { obtained, counted };
  }

  /** Not to the one at whose terminal it runs: their helper has shown it already. */
  #tell(attendant: Attendant, text: string): void {
    const { place } = this.#deps;
    const isTheirs = place.where === 'caller' && place.attendant.signal === attendant.signal;
    if (!isTheirs && text !== '') {
      attendant.print(text);
    }
  }
}
