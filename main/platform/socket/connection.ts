import type { Socket } from 'node:net';
import type { Disposable } from '../../base/disposables.ts';
import { toRefusal } from '../../contract/broker-error.ts';
import { exitCodes } from '../../contract/exit-codes.ts';
import {
  type ExitFrame,
  frameLimitBytes,
  type HelloFrame,
  type HelperFrame,
  helloLimitBytes,
  protocolRange,
} from '../../contract/frames.ts';
import type { Caller } from '../../ports/caller.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Door, type DoorAnswer, refusalAnswer } from '../../ports/door.ts';
import type { Log } from '../../ports/log.ts';
import type { CallerLookup } from './caller-lookup.ts';
import type { FrameBudget } from './frame-budget.ts';
import { FrameReader, type ParsedFrame, parseHelperFrame } from './frame-codec.ts';
import { FrameTerminal } from './frame-terminal.ts';
import { Outgoing } from './outgoing.ts';
import { negotiateVersion } from './rules/negotiate-version.ts';

/** A peer that has connected must say what it wants within this time. */
const helloMilliseconds = 5_000;

export interface ConnectionDeps {
  clock: Clock;
  log: Log;
  callerOf: CallerLookup;
  /** Names of a caller and of the processes above it (caller-lookup.ts). */
  lineageOf(caller: Caller): readonly string[];
  ancestorsOf(caller: Caller): readonly { pid: number; startTime: string }[];
  /** A running process; null: it isn't running, or the system can't tell. */
  processOf(pid: number): { pid: number; startTime: string } | null;
  /** Reads the first frame. */
  readHello(json: Buffer): ParsedFrame;
  /** By the hello frame's `door`. */
  doors: ReadonlyMap<string, Door>;
  /** What all connections may hold of unfinished frames. */
  budget: FrameBudget;
  brokerVersion: string;
  /** Why what was done for a helper ends with its connection: one for all, for each connection ends. */
  helperIsGone: Error;
  versions?: { min: number; max: number };
}

/** How long a helper may take nothing, in milliseconds. A person’s terminal may take its time: Ctrl-S, a pager. */
const patience = { program: 10_000, terminal: 600_000 };

/** Serves one request on one connection: hello, the door's questions, the exit frame. Its end cancels. */
export function serveConnection(
  socket: Socket,
  peer: { uid: number; pid: number },
  deps: ConnectionDeps,
): Disposable {
  const reader = new FrameReader(frameLimitBytes, helloLimitBytes);
  const share = deps.budget.join(() => refuseFrame('unfinished'));
  const gone = new AbortController();
  // Now, while the helper still writes its hello.
  const caller = callerOrNull();
  const outgoing = new Outgoing({
    socket,
    clock: deps.clock,
    patienceMilliseconds: caller?.hasTerminal ? patience.terminal : patience.program,
    onStalled: () => deps.log.warn('connection.stalled', { pid: peer.pid }),
  });
  let terminal: FrameTerminal | null = null;
  let deaf = false;

  const helloLimit = deps.clock.after(helloMilliseconds, () => socket.destroy());

  socket.on('error', (error) => deps.log.debug('connection.error', { code: errorCode(error) }));
  socket.on('end', () => close());
  socket.on('close', () => close());
  socket.on('data', (chunk: Buffer) => {
    if (deaf) {
      return;
    }
    const frames = reader.push(chunk);
    share.holds(reader.heldBytes);
    for (const read of frames) {
      if (deaf) {
        return;
      }
      const parsed = read.ok ? (terminal ? parseHelperFrame : deps.readHello)(read.json) : read;
      if (!parsed.ok) {
        refuseFrame(parsed.fault);
        return;
      }
      take(parsed.frame);
    }
  });

  function close(): void {
    helloLimit.dispose();
    forget();
    if (!gone.signal.aborted) {
      gone.abort(deps.helperIsGone);
    }
    terminal?.close();
    if (!socket.writableEnded) {
      socket.destroy();
    }
  }

  function forget(): void {
    deaf = true;
    reader.clear();
    share.leave();
  }

  /** Unreadable input ends the connection, with one line for the other end. */
  function refuseFrame(fault: string): void {
    deps.log.warn('connection.frame', { fault, pid: peer.pid });
    gone.abort(new Error('the helper sent a frame that is none'));
    terminal?.close();
    end({
      code: exitCodes.internal,
      stderr: `lanyard: the agent can't read what the helper sent (${fault})\n`,
    });
  }

  function take(frame: HelperFrame): void {
    if (frame.kind === 'hello' && !terminal) {
      helloLimit.dispose();
      begin(frame);
      return;
    }
    const fault = frame.kind === 'hello' || !terminal ? 'order' : terminal.take(frame);
    if (fault) {
      refuseFrame(fault);
    }
  }

  function begin(hello: HelloFrame): void {
    const agreed = negotiateVersion(deps.versions ?? protocolRange, hello.protocol);
    if (!agreed.ok) {
      end(versionAnswer(agreed.tooOld, hello.helper, deps.brokerVersion));
      return;
    }
    const door = deps.doors.get(hello.door);
    if (!door) {
      end({
        code: exitCodes.notFound,
        stderr: `lanyard: this agent has no door "${printable(hello.door)}"\n`,
      });
      return;
    }
    if (!caller) {
      end({ code: exitCodes.internal, stderr: 'lanyard: the agent can’t tell now who asks; try again\n' });
      return;
    }
    const lookUpProcess = () => deps.processOf(peer.pid);
    const ofThisRequest = new FrameTerminal(
      { outgoing, clock: deps.clock, lookUpProcess },
      hello,
      caller.hasTerminal,
    );
    terminal = ofThisRequest;
    outgoing.prepare({ kind: 'welcome', protocol: agreed.version, broker: deps.brokerVersion });
    const lineage = () => deps.lineageOf(caller);
    const ancestors = () => deps.ancestorsOf(caller);
    const context = {
      caller,
      lineage,
      ancestors,
      terminal: ofThisRequest,
      helperVersion: printable(hello.helper),
      signal: gone.signal,
    };
    const answered = door(hello.request, context).catch((error: unknown) => {
      if (!gone.signal.aborted) {
        deps.log.error('door.failed', { door: hello.door, error });
      }
      return refusalAnswer(toRefusal(error));
    });
    void answered.then(async (answer) => {
      // A helper ends with its answer, and what it runs with it: after a lock that may be renewing a token of its own.
      await ofThisRequest.runner?.idle();
      end(answer);
    });
  }

  /** Null where the system can't tell, as when no descriptor is left: one caller's failure is not the broker's. */
  function callerOrNull(): Caller | null {
    try {
      return deps.callerOf(peer.pid, peer.uid);
    } catch (error) {
      deps.log.error('connection.caller', { pid: peer.pid, error });
      return null;
    }
  }

  /** Answers. What follows the answered hello is not read, even if it has arrived already. */
  function end(answer: DoorAnswer): void {
    forget();
    const exit: ExitFrame = { kind: 'exit', code: answer.code };
    if (answer.stdout !== undefined) {
      exit.stdout = Buffer.from(answer.stdout, 'utf8').toString('base64');
    }
    if (answer.stderr !== undefined) {
      exit.stderr = answer.stderr;
    }
    try {
      outgoing.end(exit);
    } catch (error) {
      deps.log.error('connection.answer', { error });
      outgoing.end({
        kind: 'exit',
        code: exitCodes.internal,
        stderr: 'lanyard: the answer is too large to pass on\n',
      });
    }
  }

  return {
    dispose: () => {
      gone.abort(new Error('the agent stops'));
      socket.destroy();
    },
  };
}

function versionAnswer(tooOld: 'helper' | 'broker', helper: string, broker: string): DoorAnswer {
  const what = tooOld === 'helper' ? `the helper (${printable(helper)})` : `the agent (${broker})`;
  const other = tooOld === 'helper' ? `the agent (${broker})` : `the helper (${printable(helper)})`;
  const hint =
    tooOld === 'helper'
      ? 'start the agent again: it puts its own helper in place'
      : 'end the agent and start the newer one';
  return {
    code: exitCodes.version,
    stderr: `lanyard: ${what} is too old for ${other}\nhint: ${hint}\n`,
  };
}

/** A peer's own words, cut and without anything that could steer a terminal. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 64);
}

function errorCode(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
