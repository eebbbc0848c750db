import { expect, test } from 'vitest';
import { clusterName } from '../domain/target/target.ts';
import { pluginRun, requestEvent } from '../history/testing/sample-events.ts';
import type { HistoryEvent, RequestEvent } from '../ports/history.ts';
import { eventSentence } from './event-sentence.ts';

test.each<[Partial<Extract<HistoryEvent, { kind: 'pluginRun' }>>, string]>([
  [{}, 'the plugin of eks answered in 0.6 s'],
  [
    { where: 'caller', milliseconds: 21_000 },
    'the plugin of eks answered in 21.0 s at the caller’s terminal',
  ],
  [
    { callStatus: 'plugin_execution_error', exitCode: 255, code: 'execPlugin.failed' },
    'the plugin of eks failed in 0.6 s (exit code 255)',
  ],
  [
    { callStatus: 'plugin_execution_error', exitCode: -1, code: 'execPlugin.timedOut' },
    'the plugin of eks failed in 0.6 s',
  ],
  [
    { callStatus: 'plugin_not_found_error', exitCode: 1, code: 'execPlugin.notFound' },
    'the plugin of eks failed in 0.6 s',
  ],
  [{ code: 'execPlugin.noStatus' }, 'the plugin of eks failed in 0.6 s'],
])('a plugin’s run in a line: %j', (fields, sentence) => {
  expect(eventSentence(pluginRun(fields))).toBe(sentence);
});

test.each<[Partial<RequestEvent>, string]>([
  [{}, 'kubectl sent GET /api/v1/namespaces/default/pods to prod: 200, ended after 12 ms'],
  [{ status: 0, answeredBy: null, path: '/a' }, 'kubectl sent GET /a to prod: no answer, ended after 12 ms'],
  [
    { status: 502, answeredBy: 'proxy', path: '/a', program: null, milliseconds: 65_000 },
    'unknown sent GET /a to prod: 502 from Lanyard, ended after 1 min',
  ],
])('a request in a line: %j', (fields, sentence) => {
  expect(eventSentence(requestEvent(fields))).toBe(sentence);
});

test('requests that are not recorded one by one', () => {
  const more = { kind: 'moreRequests', target: clusterName('prod'), requests: 1_240 } as const;
  expect(eventSentence({ ...more, bytesUp: 0, bytesDown: 0 })).toBe(
    '1,240 more requests to prod: too many to record each',
  );
});

test.each<[HistoryEvent, string]>([
  [{ kind: 'change', what: 'account.add', name: 'corp' }, 'account corp added'],
  [{ kind: 'change', what: 'cluster.remove', name: 'prod' }, 'cluster prod removed'],
  [{ kind: 'change', what: 'binding.confirm', name: 'corp' }, 'change corp confirmed'],
  [{ kind: 'change', what: 'inventory.use', name: 'us' }, 'profile us came into use'],
  [{ kind: 'lock', what: 'locked', why: 'idle' }, 'Lanyard was locked as it had not been used for a while'],
  [{ kind: 'lock', what: 'unlocked', why: 'command' }, 'Lanyard was unlocked'],
])('is in words, without a code: %j', (event, sentence) => {
  expect(eventSentence(event)).toBe(sentence);
});
