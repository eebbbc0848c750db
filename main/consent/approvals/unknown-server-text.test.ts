import { expect, test } from 'vitest';
import type { ExecCluster } from '../../domain/server/exec-cluster.ts';
import { aCaller } from '../../ports/testing/a-caller.ts';
import { isUnchecked, unknownServerText } from './unknown-server-text.ts';

const caller = aCaller({ uid: 1000, pid: 7, session: { leaderPid: 5, startTime: '1' } });

function server(of: Partial<ExecCluster>): ExecCluster {
  return {
    server: 'https://new.example.com',
    tlsServerName: null,
    insecureSkipTlsVerify: false,
    certificateAuthorityPem: null,
    proxyUrl: null,
    ...of,
  };
}

const shown = (of: Partial<ExecCluster>, executable = caller.executable) =>
  unknownServerText({
    server: server(of),
    account: 'corp',
    subject: null,
    authority: [],
    caller: { ...caller, executable },
    lineage: [],
  });

test.each<[string, Partial<ExecCluster>, boolean]>([
  ['https', {}, false],
  ['HTTPS, however it is written', { server: 'HTTPS://new.example.com' }, false],
  ['insecure-skip-tls-verify', { insecureSkipTlsVerify: true }, true],
  // Another user of the machine may listen there.
  ['http on loopback', { server: 'http://127.0.0.1:8001' }, true],
  ['http, however it is written', { server: 'HTTP://127.0.0.1:8001' }, true],
])('%s: the whole yes is wanted where nobody checks who answers', (_, of, unchecked) => {
  expect(isUnchecked(server(of))).toBe(unchecked);
  const text = shown(of);
  expect(text.includes('DANGER')).toBe(unchecked);
  expect(text.includes('Type yes in full')).toBe(unchecked);
  expect(text.includes('the system’s own')).toBe(!unchecked);
});

test('a program’s name forges no line of the question, and pushes none off the screen', () => {
  const line = 'Add it to config.yaml';
  const text = shown({}, `/tmp/x\n  server  "https://good"\u202e\u009b2J${'y'.repeat(5_000)}`);
  expect(text.split('\n').filter((each) => /^ {2}server/.test(each))).toEqual([
    '  server      "https://new.example.com"',
  ]);
  expect(text).not.toMatch(/[\u202e\u009b]/);
  expect(text.length).toBeLessThan(900);
  expect(text).toContain(line);
});
