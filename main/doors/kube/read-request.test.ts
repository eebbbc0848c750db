import { expect, it } from 'vitest';
import { parseKubeArguments } from './arguments.ts';
import { createRequestReader } from './read-request.ts';

const info = (server: string) =>
  Buffer.from(
    JSON.stringify({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      spec: { interactive: false, cluster: { server } },
    }),
  ).toString('base64');
const request = (server: string, account = 'corp') => ({
  args: ['--account', account],
  execInfo: info(server),
});

it('reads a request once, and each other one anew', () => {
  const read = createRequestReader(parseKubeArguments);
  const asked = request('https://a.example');
  const first = read(asked);
  expect(first).toMatchObject({
    ok: true,
    question: { account: 'corp', request: { cluster: { server: 'https://a.example' } } },
  });
  expect(read(asked)).toBe(first);
  const words = [
    asked,
    request('https://a.example'),
    request('https://b.example'),
    request('https://a.example', 'other'),
  ].map((each) => read(each));
  expect(words[1]).toEqual(first);
  expect(words[2]).toMatchObject({
    question: { request: { cluster: { server: 'https://b.example' } } },
  });
  expect(words[3]).toMatchObject({ question: { account: 'other' } });
  expect(new Set(words.map((each) => (each as { words: string }).words)).size).toBe(3);
});

it.each([
  null,
  'words',
  {},
  { args: ['--x'], execInfo: null },
  { args: ['--account', 'corp'], execInfo: 'AAAA' },
])('refuses %j, each time', (bad) => {
  const read = createRequestReader(parseKubeArguments);
  expect(read(bad)).toMatchObject({ ok: false });
  expect(read(bad)).toMatchObject({ ok: false });
});
