import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import type { HistoryEvent } from '../ports/history.ts';
import type { Log } from '../ports/log.ts';
import { passedRequest } from '../ports/testing/passed-request.ts';
import { RequestRecord } from './request-record.ts';

let clock: ManualClock;
let written: { at: number; event: HistoryEvent }[][];
let counted: number;
let logged: [level: string, event: string, fields: unknown][];
let record: RequestRecord;

beforeEach(() => {
  clock = new ManualClock();
  written = [];
  counted = 0;
  logged = [];
  const level = (name: string) => (event: string, fields?: unknown) =>
    void logged.push([name, event, fields]);
  const log: Log = {
    debug: level('debug'),
    info: level('info'),
    warn: level('warn'),
    error: level('error'),
  };
  record = new RequestRecord({
    history: { recordAll: (events) => void written.push([...events]) },
    metrics: {
      passed: () => {
        counted += 1;
      },
      lost: () => undefined,
      listenerOpened: () => undefined,
      crashed: () => undefined,
    },
    clock,
    log,
  });
});
afterEach(() => record.dispose());

const events = () => written.flat().map(({ event }) => event);
const paths = () => events().flatMap((event) => (event.kind === 'request' ? [event.path] : []));

test('requests are written together, a second later, with the time when they ended', () => {
  const at = clock.now();
  record.passed(passedRequest({ path: '/a' }));
  clock.advance(500);
  record.passed(passedRequest({ path: '/b', status: 502, fault: 'prod can’t be reached' }));
  expect(written).toEqual([]);
  clock.advance(500);
  expect(written).toHaveLength(1);
  expect(written[0]).toMatchObject([
    { at, event: { kind: 'request', program: 'kubectl', path: '/a', status: 200, answeredBy: 'cluster' } },
    { at: at + 500, event: { path: '/b', status: 502, answeredBy: 'proxy' } },
  ]);
});

test('what waits is written at the end', () => {
  record.passed(passedRequest({ path: '/last' }));
  record.dispose();
  expect(paths()).toEqual(['/last']);
});

test('of many reads a share is written, the rest as a number; a change among them is', () => {
  for (let count = 0; count < 5_000; count++) {
    record.passed(passedRequest({ bytesDown: 2 }));
  }
  record.passed(passedRequest({ method: 'DELETE', path: '/deleted' }));
  clock.advance(1_000);
  expect(written[0]).toHaveLength(200);
  for (let step = 0; step < 4; step++) {
    clock.advance(25);
  }
  expect(written.map((batch) => batch.length)).toEqual([200, 200, 200, 1]);
  expect(paths().at(-1)).toBe('/deleted');
  clock.advance(60_000);
  expect(events().at(-1)).toEqual({
    kind: 'moreRequests',
    target: { kind: 'cluster', name: 'prod' },
    requests: 4_400,
    bytesUp: 0,
    bytesDown: 8_800,
  });
  expect(counted).toBe(5_001);
});

test('a minute’s quiet gives 30 more', () => {
  for (let count = 0; count < 600; count++) {
    record.passed(passedRequest());
  }
  clock.advance(60_000);
  for (let count = 0; count < 100; count++) {
    record.passed(passedRequest());
  }
  record.dispose();
  expect(paths()).toHaveLength(630);
  expect(events().at(-1)).toMatchObject({ kind: 'moreRequests', requests: 70 });
});

test('the proxy’s own errors are warned of, sparingly; the cluster’s are not', () => {
  record.passed(passedRequest({ status: 503 }));
  record.passed(passedRequest({ status: 403, fault: 'Lanyard is locked' }));
  for (let count = 0; count < 100; count++) {
    record.passed(passedRequest({ status: 502, fault: `prod can’t be reached:\n${'x'.repeat(5_000)}` }));
  }
  const warned = logged.filter(([level]) => level === 'warn');
  expect(warned).toHaveLength(10);
  expect(warned[0]).toMatchObject(['warn', 'proxy.answered', { cluster: 'prod', status: 502 }]);
  expect(JSON.stringify(warned[0]).length).toBeLessThan(500);
});

test('a query that got into a path is neither recorded nor logged', () => {
  record.passed(passedRequest({ path: '/api?token=canary' }));
  record.dispose();
  expect(JSON.stringify([written, logged])).not.toContain('canary');
});
