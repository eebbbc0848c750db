import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clusterName } from '../domain/target/target.ts';
import { storedKind } from '../doors/docker/stored-kind.ts';
import { certificateRotation, pluginRun, requestEvent } from '../history/testing/sample-events.ts';
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
    'the plugin of eks failed in 0.6 s: it did not answer in time',
  ],
  [
    { callStatus: 'plugin_not_found_error', exitCode: 1, code: 'execPlugin.notFound' },
    'the plugin of eks failed in 0.6 s: its program was not found',
  ],
  [{ code: 'execPlugin.noStatus' }, 'the plugin of eks failed in 0.6 s: its answer can’t be used'],
])('a plugin’s run in a line: %j', (fields, sentence) => {
  expect(eventSentence(pluginRun(fields))).toBe(sentence);
});

test.each<[Partial<RequestEvent>, string]>([
  [{}, 'kubectl sent GET /api/v1/namespaces/default/pods to prod: 200, ended after 12 ms'],
  [{ status: 0, answeredBy: null, path: '/a' }, 'kubectl sent GET /a to prod: no answer, ended after 12 ms'],
  [
    { status: 502, answeredBy: 'proxy', path: '/a', program: null, milliseconds: 65_000 },
    'unknown sent GET /a to prod: 502 from Lanyard, ended after 1 min 5 s',
  ],
])('a request in a line: %j', (fields, sentence) => {
  expect(eventSentence(requestEvent(fields))).toBe(sentence);
});

test('a credential lived until it expired, also where it was replaced later', () => {
  const [minute, week] = [60_000, 604_800_000];
  const lived = (previousAge: number, previousLife: number | null) =>
    eventSentence(certificateRotation({ previousAge, previousLife })).replace(/^.*; /, '');
  expect(lived(7 * minute, minute)).toBe('the one before lived 1 min');
  expect(lived(7 * minute, 10 * minute)).toBe('the one before lived 7 min');
  expect(lived(week, null)).toBe('the one before lived 7 d');
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
  [{ kind: 'change', what: 'binding.confirm', name: 'corp' }, 'change to corp approved'],
  [{ kind: 'change', what: 'passphrase.change', name: null }, 'passphrase changed'],
  [{ kind: 'change', what: 'recoveryKey.create', name: null }, 'recovery key created'],
  [{ kind: 'change', what: 'vault.export', name: null }, 'vault exported'],
  [{ kind: 'change', what: 'docker.install', name: '/d.json' }, 'Docker config /d.json set up'],
  [{ kind: 'change', what: 'install', name: null }, 'command-line tools installed'],
  [{ kind: 'change', what: 'inventory.use', name: 'us' }, 'profile us came into use'],
  [{ kind: 'lock', what: 'locked', why: 'idle' }, 'Lanyard was locked as it had not been used for a while'],
  [{ kind: 'lock', what: 'unlocked', why: 'command' }, 'Lanyard was unlocked'],
])('is in words, without a code: %j', (event, sentence) => {
  expect(eventSentence(event)).toBe(sentence);
});

const login = { kind: 'login', account: 'corp', flow: 'browser', issuer: null, subject: null } as const;
const renewal = { kind: 'renewal', account: 'corp', audience: null, why: 'due', milliseconds: 300 } as const;

test.each<[HistoryEvent, string]>([
  [
    { ...login, displayName: null, outcome: 'refused', code: 'oidc.token.unreachable' },
    'login to corp in the browser refused: the provider can’t be reached',
  ],
  [
    { ...login, displayName: null, outcome: 'refused', code: 'oidc.browser.denied' },
    'login to corp in the browser refused: the login was denied',
  ],
  [
    { ...login, displayName: null, outcome: 'cancelled', code: 'oidc.cancelled' },
    'login to corp in the browser cancelled',
  ],
  [
    { ...renewal, outcome: 'failed', code: 'oidc.timeout' },
    'renewal failed after 0.3 s (the last one was about to expire): the provider did not answer in time',
  ],
  [
    { ...renewal, outcome: 'failed', code: 'oidc.session.interrupted' },
    'renewal failed after 0.3 s (the last one was about to expire): log in again',
  ],
  [
    { ...renewal, outcome: 'failed', code: 'clientCertificate.expired' },
    'renewal failed after 0.3 s (the last one was about to expire): it has expired',
  ],
  [
    { ...renewal, outcome: 'failed', code: 'oidc.token.claims' },
    'renewal failed after 0.3 s (the last one was about to expire): the provider’s answer can’t be used',
  ],
])('says why it failed: %j', (event, sentence) => {
  expect(eventSentence(event)).toBe(sentence);
});

/** The codes of all changes that main/ records, as they stand in its code. */
function recordedChanges(): string[] {
  const main = join(import.meta.dirname, '..');
  const sources = globSync('**/*.ts', { cwd: main }).filter((path) => !/\.test\.ts$|testing\b/.test(path));
  const codes = sources
    .map((path) => readFileSync(join(main, path), 'utf8'))
    .flatMap((text) => [...text.matchAll(/kind: 'change', what: (?:'([^']+)'|`(.+?)`),/g)])
    .flatMap(([, plain, template = '']) => plain ?? codesOf(template));
  return [...new Set(codes)];
}

/** `${what}.${removes ? 'remove' : 'add'}`: one for each thing, and for each verb. */
function codesOf(template: string): string[] {
  const verbs = template.match(/'\w+'/g)?.map((quoted) => quoted.slice(1, -1)) ?? [
    template.split('.').at(-1),
  ];
  const things = template.includes('{storedKind}')
    ? [storedKind]
    : ['account', 'cluster', 'registry', 'inventory'];
  return things.flatMap((thing) => verbs.map((verb) => `${thing}.${verb}`));
}

test('no failure comes out as its code', () => {
  const main = join(import.meta.dirname, '..');
  const sources = globSync('{accounts,grants,access}/**/*.ts', { cwd: main }).filter(
    (path) => !/\.test\.ts$/.test(path),
  );
  const codes = sources.flatMap((path) =>
    [...readFileSync(join(main, path), 'utf8').matchAll(/'([a-z]\w+(?:\.\w+)+)',/g)].flatMap(
      ([, code]) => code ?? [],
    ),
  );
  expect(codes).toEqual(expect.arrayContaining(['oidc.session.interrupted', 'pkcs11.pinNeeded']));
  const raw = codes.filter((code) =>
    [
      eventSentence({ ...renewal, outcome: 'failed', code }),
      eventSentence({ ...login, displayName: null, outcome: 'refused', code }),
      eventSentence(pluginRun({ code })),
    ].some((text) => text.includes(code)),
  );
  expect(raw).toEqual([]);
});

test('no recorded change comes out as its code', () => {
  const codes = recordedChanges();
  expect(codes).toEqual(expect.arrayContaining(['uninstall', 'account.remove', 'registry-login.erase']));
  const raw = codes.filter((what) => {
    const words = eventSentence({ kind: 'change', what, name: 'x' }).split(' ');
    const verb = what.split('.').at(-1) ?? '';
    // “set” is its own past; what became of a profile is a sentence.
    return (
      words.some((word) => /\.|-login|[a-z][A-Z]/.test(word)) ||
      (verb !== 'set' && words[0] !== 'profile' && words.includes(verb))
    );
  });
  expect(raw).toEqual([]);
});
