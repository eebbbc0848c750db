import { expect, it } from 'vitest';
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

it('reads the same words once, and each other word anew', () => {
  const read = createRequestReader();
  const first = read(request('https://a.example'));
  expect(first).toMatchObject({
    ok: true,
    account: 'corp',
    request: { cluster: { server: 'https://a.example' } },
  });
  expect(read(request('https://a.example'))).toBe(first);
  expect(read(request('https://b.example'))).toMatchObject({
    request: { cluster: { server: 'https://b.example' } },
  });
  expect(read(request('https://a.example', 'other'))).toMatchObject({ account: 'other' });
  const words = [
    request('https://a.example'),
    request('https://b.example'),
    request('https://a.example', 'x'),
  ];
  expect(new Set(words.map((each) => (read(each) as { words: string }).words)).size).toBe(3);
});

it('remembers no refusal, nor what is large, nor without end', () => {
  const read = createRequestReader();
  for (const bad of [
    {},
    { args: ['--x'], execInfo: null },
    { args: ['--account', 'corp'], execInfo: 'AAAA' },
  ]) {
    expect(read(bad)).toMatchObject({ ok: false });
    expect(read(bad)).not.toBe(read(bad));
  }
  const large = request(`https://a.example/${'x'.repeat(100_000)}`);
  expect(read(large)).not.toBe(read(large));
  const first = read(request('https://a.example'));
  for (let port = 1; port <= 64; port++) {
    read(request(`https://a.example:${port}`));
  }
  expect(read(request('https://a.example'))).not.toBe(first);
  expect(read(request('https://a.example'))).toEqual(first);
});
