import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import connectionFaults from '../contract/connection-faults.json' with { type: 'json' };
import { failureText } from '../platform/network/failure-text.ts';
import { HttpFailure } from '../platform/network/http-failure.ts';
import { serversAnswer } from './answered-by.ts';
import { readPieces } from './open-answer.ts';

function answer(statusCode: number, body: string, headers: Record<string, string> = {}): IncomingMessage {
  const pieces = (async function* () {
    yield Buffer.from(body);
  })();
  return Object.assign(pieces, { statusCode, headers }) as unknown as IncomingMessage;
}

const failure = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (error) => {
      expect(error).toBeInstanceOf(HttpFailure);
      return error as HttpFailure;
    },
  );
const textOf = async (body: AsyncIterable<Buffer>) => (await readPieces(body, 1_000)).toString();

test.each(Object.keys(connectionFaults))(
  'the request proxy’s own answer says what is wrong: %s',
  async (kind) => {
    const mark = { 'lanyard-proxy-error': `${kind} 502 proxy.example:3128` };
    const found = await failure(serversAnswer(answer(502, 'lanyard: …', mark), true));
    expect(found).toMatchObject({ kind, status: 502, proxy: 'proxy.example:3128', sent: kind === 'broken' });
  },
);

test('what the request proxy refuses is said in its words', async () => {
  const mark = { 'lanyard-proxy-error': 'refused - -' };
  const found = await failure(
    serversAnswer(answer(403, 'lanyard: pair needs a login; run: lanyard login pair\n', mark), true),
  );
  expect(found && failureText(found)).toBe('was not asked: pair needs a login; run: lanyard login pair');
});

test('a cluster without the request proxy can’t send its mark', async () => {
  const mark = { 'lanyard-proxy-error': 'connectionRefused - -' };
  expect(await serversAnswer(answer(401, '', mark), false)).toMatchObject({ status: 401 });
});

describe.each([502, 503, 504])('an answer with %d', (status) => {
  test.each([
    '',
    '<html>Bad Gateway</html>',
    '{"message":"Service Unavailable"}',
    '[]',
    `{"kind":"Status"${' '.repeat(70_000)}`,
  ])('that is no Status is a gateway’s: %.30s', async (body) => {
    const found = await failure(serversAnswer(answer(status, body, { 'retry-after': '7' }), false));
    expect(found).toMatchObject({ kind: 'status', status, retryAfterSeconds: 7 });
  });

  test('that is a Status is the API server’s, whole', async () => {
    const stated = JSON.stringify({ kind: 'Status', apiVersion: 'v1', code: status });
    const found = await serversAnswer(answer(status, stated), false);
    expect([found.status, await textOf(found.body)]).toEqual([status, stated]);
  });
});

test.each([200, 401, 403, 404, 429, 500])('any other status is the API server’s: %d', async (status) => {
  const found = await serversAnswer(answer(status, 'no JSON'), false);
  expect([found.status, await textOf(found.body)]).toEqual([status, 'no JSON']);
});
