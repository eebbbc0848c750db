import { STATUS_CODES } from 'node:http';
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import Histogram from 'prom-client/lib/histogram.js';
import type Registry from 'prom-client/lib/registry.js';
import type { PassedRequest, ProxyObserver } from '../../ports/request-proxy.ts';

export interface RequestProxyMetricsDeps {
  isKnown(what: 'cluster', name: string): boolean;
  /** Read at each scrape: whether it runs, and what is under way. */
  requestProxy(): Promise<{
    isRunning: boolean;
    open: readonly { cluster: string }[];
    /** Of one client’s own. */
    listeners: readonly { cluster: string }[];
    connections: number;
  }>;
}

/** Seconds. What the proxy adds is far below a millisecond, but where a credential has to be obtained. */
const addedBuckets = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 15, 60,
];
/** Seconds, as apiserver_request_duration_seconds has them, but fewer. */
const answerBuckets = [0.005, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60];

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Requests through the request proxy. A program can’t make up labels: method and code are known ones, or `other`. */
export function createRequestProxyMetrics(
  { isKnown, requestProxy }: RequestProxyMetricsDeps,
  registers: Registry[],
): ProxyObserver {
  const counter = <T extends string>(name: string, help: string, labelNames: readonly T[]) =>
    new Counter({ name: `lanyard_proxy_${name}`, help, labelNames, registers });
  const requests = counter('requests_total', 'Requests that have ended', [
    'cluster',
    'method',
    'code',
  ] as const);
  const errors = counter('errors_total', 'Requests that the proxy answered, and not the cluster', [
    'cluster',
    'code',
  ] as const);
  const sent = counter('transmit_bytes_total', 'Bytes of bodies and streams to the cluster', [
    'cluster',
  ] as const);
  const received = counter('receive_bytes_total', 'Bytes of bodies and streams from the cluster', [
    'cluster',
  ] as const);
  const answered = new Histogram({
    name: 'lanyard_proxy_response_duration_seconds',
    help: 'From a request’s arrival to the head of the cluster’s answer',
    labelNames: ['cluster'] as const,
    buckets: answerBuckets,
    registers,
  });
  const added = new Histogram({
    name: 'lanyard_proxy_added_latency_seconds',
    help: 'From a request’s arrival until it is sent on, the wait for a credential included',
    labelNames: ['cluster'] as const,
    buckets: addedBuckets,
    registers,
  });
  const opened = counter(
    'listeners_opened_total',
    'Listeners of one client’s own that were opened (KEP-2718)',
    ['cluster'] as const,
  );
  const restarts = counter('restarts_total', 'How often the proxy’s process ended unasked', []);
  const lost = counter('lost_requests_total', 'Requests that have ended and are in no other count', []);
  new Gauge({
    name: 'lanyard_proxy_up',
    help: '1 while the proxy’s process runs; it is started on first use',
    registers,
    async collect() {
      this.set((await requestProxy()).isRunning ? 1 : 0);
    },
  });
  new Gauge({
    name: 'lanyard_proxy_open_requests',
    help: 'Requests under way, watches and streams among them',
    labelNames: ['cluster'] as const,
    registers,
    async collect() {
      const { open } = await requestProxy();
      this.reset();
      for (const { cluster } of open) {
        this.inc({ cluster });
      }
    },
  });
  new Gauge({
    name: 'lanyard_proxy_listeners',
    help: 'Listeners of one client’s own that are open (KEP-2718)',
    labelNames: ['cluster'] as const,
    registers,
    async collect() {
      const { listeners } = await requestProxy();
      this.reset();
      for (const { cluster } of listeners) {
        this.inc({ cluster });
      }
    },
  });
  new Gauge({
    name: 'lanyard_proxy_connections',
    help: 'Open connections of clients',
    registers,
    async collect() {
      this.set((await requestProxy()).connections);
    },
  });
  return {
    passed(request) {
      const cluster = isKnown('cluster', request.cluster) ? request.cluster : 'other';
      const code = codeOf(request);
      requests.inc({ cluster, method: methods.has(request.method) ? request.method : 'other', code });
      if (request.fault !== null) {
        errors.inc({ cluster, code });
      }
      sent.inc({ cluster }, request.bytesUp);
      received.inc({ cluster }, request.bytesDown);
      // An answer of the proxy's own isn't the cluster's: it came without asking, or after its limit.
      if (request.answeredMicroseconds !== null && request.fault === null) {
        answered.observe({ cluster }, request.answeredMicroseconds / 1_000_000);
      }
      if (request.sentMicroseconds !== null) {
        added.observe({ cluster }, request.sentMicroseconds / 1_000_000);
      }
    },
    lost: (count) => lost.inc(count),
    listenerOpened: (cluster) => opened.inc({ cluster: isKnown('cluster', cluster) ? cluster : 'other' }),
    crashed: () => restarts.inc(),
  };
}

/** As rest_client_requests_total of client-go: `<error>` where there was no answer. */
function codeOf({ status }: PassedRequest): string {
  if (status === 0) {
    return '<error>';
  }
  return Object.hasOwn(STATUS_CODES, status) ? String(status) : 'other';
}
