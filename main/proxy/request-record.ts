import { createAllowance } from '../base/allowance.ts';
import type { Disposable } from '../base/disposables.ts';
import { clusterName } from '../domain/target/target.ts';
import { visibleLine } from '../domain/text/visible-text.ts';
import { createSparingLog } from '../platform/logging/sparing-log.ts';
import type { Clock } from '../ports/clock.ts';
import type { BatchRecorder, HistoryEvent, RequestEvent } from '../ports/history.ts';
import type { Log } from '../ports/log.ts';
import type { PassedRequest, ProxyObserver } from '../ports/request-proxy.ts';
import { recordedPath } from './rules/recorded-path.ts';

export interface RequestRecordDeps {
  history: BatchRecorder;
  metrics: ProxyObserver;
  clock: Pick<Clock, 'now' | 'boottime' | 'after'>;
  log: Log;
}

/** Requests wait so long to be written together: nothing else waits for that. */
const writeMilliseconds = 1_000;
/** One write takes about a millisecond; callers have their turn in between. */
const writeEvents = 200;
const betweenWritesMilliseconds = 25;
/** Reads, and what changes something, each have so much: a program that polls hides no deletion. */
const share = { atOnce: 600, perSecond: 0.5 };
/** What is over it is told in one row a cluster, as often. */
const moreMilliseconds = 60_000;
const warnings = { atOnce: 10, perSecond: 0.1 };
const faultCharacters = 300;
const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

type More = Extract<HistoryEvent, { kind: 'moreRequests' }>;

/** Records, counts and logs the requests that went through the proxy, off their way (rule: everything-recorded). */
export class RequestRecord implements ProxyObserver, Disposable {
  readonly #deps: RequestRecordDeps;
  readonly #warnings: Log;
  readonly #reads;
  readonly #changes;
  readonly #waiting: { at: number; event: RequestEvent }[] = [];
  readonly #more = new Map<string, More>();
  #writing: Disposable | null = null;
  #telling: Disposable | null = null;

  constructor(deps: RequestRecordDeps) {
    this.#deps = deps;
    this.#warnings = createSparingLog(deps.log, deps.clock, warnings);
    this.#reads = createAllowance(share, deps.clock);
    this.#changes = createAllowance(share, deps.clock);
  }

  passed(request: PassedRequest): void {
    const { metrics, clock, log } = this.#deps;
    metrics.passed(request);
    this.#warn(request);
    const event = eventOf(request);
    const { kind: _, target: __, ...fields } = event;
    log.debug('proxy.request', { cluster: request.cluster, ...fields });
    const { method, cluster } = request;
    if (!(reads.has(method) ? this.#reads : this.#changes).take(1)) {
      this.#leaveOut(cluster, event);
      return;
    }
    this.#waiting.push({ at: clock.now(), event });
    this.#writing ??= clock.after(writeMilliseconds, () => this.#write());
  }

  lost(count: number): void {
    this.#deps.metrics.lost(count);
    this.#warnings.warn('proxy.lost', { count });
  }

  listenerOpened(cluster: string): void {
    this.#deps.metrics.listenerOpened(cluster);
  }

  crashed(): void {
    this.#deps.metrics.crashed();
  }

  dispose(): void {
    this.#writing?.dispose();
    this.#telling?.dispose();
    while (this.#waiting.length > 0) {
      this.#deps.history.recordAll(this.#waiting.splice(0, writeEvents));
    }
    this.#tellMore();
  }

  /** 502, 503 and 504 of the proxy’s own: what the user may have to do something about. */
  #warn({ cluster, status, fault }: PassedRequest): void {
    if (fault !== null && status >= 500) {
      this.#warnings.warn('proxy.answered', { cluster, status, why: visibleLine(fault, faultCharacters) });
    }
  }

  #leaveOut(cluster: string, { target, bytesUp, bytesDown }: RequestEvent): void {
    const more = this.#more.get(cluster);
    this.#more.set(cluster, {
      kind: 'moreRequests',
      target,
      requests: (more?.requests ?? 0) + 1,
      bytesUp: (more?.bytesUp ?? 0) + bytesUp,
      bytesDown: (more?.bytesDown ?? 0) + bytesDown,
    });
    this.#telling ??= this.#deps.clock.after(moreMilliseconds, () => this.#tellMore());
  }

  #write(): void {
    const { history, clock } = this.#deps;
    history.recordAll(this.#waiting.splice(0, writeEvents));
    this.#writing =
      this.#waiting.length === 0 ? null : clock.after(betweenWritesMilliseconds, () => this.#write());
  }

  #tellMore(): void {
    const { history, clock } = this.#deps;
    this.#telling = null;
    const at = clock.now();
    const all = [...this.#more.values()];
    this.#more.clear();
    if (all.length > 0) {
      history.recordAll(all.map((event) => ({ at, event })));
    }
  }
}

function eventOf(request: PassedRequest): RequestEvent {
  const { cluster, pid, program, method, path, status, fault, milliseconds, bytesUp, bytesDown } = request;
  return {
    kind: 'request',
    target: clusterName(cluster),
    pid,
    program,
    method,
    path: recordedPath(path),
    status,
    answeredBy: fault !== null ? 'proxy' : status === 0 ? null : 'cluster',
    milliseconds,
    bytesUp,
    bytesDown,
  };
}
