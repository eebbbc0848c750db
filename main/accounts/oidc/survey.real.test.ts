import { expect, test } from 'vitest';
import { hostileForFile } from '../../../test/support/openid/for-file.ts';
import { startHostileProvider } from '../../../test/support/openid/hostile.ts';
import { openHostileBench } from '../testing/hostile-bench.ts';
import { createOidcAccount } from './oidc-account.ts';

const { hostile, open } = await hostileForFile();

const nasty = 'a\u202eb\u001b[2Jc\u0000d\r\ne'.repeat(1000);

async function survey(metadata: Record<string, unknown>) {
  hostile.reset();
  hostile.metadata = metadata;
  const bench = open();
  const found = (await bench.account.survey?.(new AbortController().signal)) ?? [];
  await bench.expectNothingTold(found);
  return found;
}

const lists = [
  'response_types_supported',
  'code_challenge_methods_supported',
  'grant_types_supported',
  'scopes_supported',
];

test('an honest provider is the issuer, and what it offers is said', async () => {
  const found = await survey({});
  expect(found).toContainEqual(expect.objectContaining({ check: 'account.discovery', level: 'ok' }));
  expect(found.length).toBeGreaterThan(3);
});

test.each([null, 5, true, 'S256', {}, { includes: 5 }, [5, null, {}], [nasty]])(
  'lists that are %j break nothing, and nothing of them is told',
  async (value) => {
    const found = await survey(Object.fromEntries(lists.map((name) => [name, value])));
    expect(found).toContainEqual(expect.objectContaining({ check: 'account.discovery', level: 'ok' }));
    expect(JSON.stringify(found).length).toBeLessThan(5000);
  },
);

test.each([null, 5, {}, ['https://a.example']])('an endpoint that is %j is none', async (value) => {
  const found = await survey({
    token_endpoint: value,
    device_authorization_endpoint: value,
    revocation_endpoint: value,
  });
  expect(found).not.toContainEqual(expect.objectContaining({ check: 'account.device', level: 'ok' }));
  expect(found).not.toContainEqual(expect.objectContaining({ check: 'account.logout', level: 'ok' }));
});

test('another issuer is said in few and plain characters', async () => {
  const found = await survey({ issuer: `https://a.example/${nasty}` });
  expect(found).toContainEqual(expect.objectContaining({ check: 'account.discovery', level: 'problem' }));
  expect(JSON.stringify(found).length).toBeLessThan(2000);
});

test('a draft’s client is asked about at the issuer alone: a document that no one approved sends nothing elsewhere', async () => {
  const [own, other] = [
    await startHostileProvider({ tls: false }),
    await startHostileProvider({ tls: false }),
  ];
  const { account } = openHostileBench(createOidcAccount, own);
  const signal = new AbortController().signal;
  await account.survey(signal);
  expect(own.count('token')).toBe(1);
  own.metadata = { token_endpoint: `${other.issuer}/token` };
  expect(await account.survey(signal)).toContainEqual(
    expect.objectContaining({ check: 'account.discovery', level: 'ok' }),
  );
  expect([own.count('token'), other.requests]).toEqual([1, []]);
  // As `lanyard doctor` examines an approved account: Google’s token endpoint is at another host.
  await account.examine(signal);
  expect([own.count('token'), other.count('token')]).toEqual([1, 1]);
  await Promise.all([own.dispose(), other.dispose()]);
});
