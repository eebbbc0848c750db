import { expect, test } from 'vitest';
import { Secret } from '../../base/secret.ts';
import type { ServiceAccount } from '../../ports/account.ts';
import { createProviderBench } from './testing/provider-bench.ts';

/** KEP-2133/service-accounts: what a plugin with `tokenAttributes` gets, and what is shared (rule: service-account-token). */
const attributes = (more: object = {}) => ({
  tokenAttributes: {
    serviceAccountTokenAudience: 'registry',
    cacheType: 'Token',
    requireServiceAccount: true,
    ...more,
  },
});
const pod = (token: string, annotations: object = {}): ServiceAccount => ({
  token: new Secret(token),
  annotations: new Map(Object.entries(annotations)),
});
const auth = (password = 'p') => ({ 'a.io': { username: 'u', password } });

test('the token, and the annotations that are named', async () => {
  const bench = createProviderBench(
    attributes({
      requiredServiceAccountAnnotationKeys: ['role'],
      optionalServiceAccountAnnotationKeys: ['tenant'],
    }),
  );
  bench.says({ cacheKeyType: 'Image', auth: auth() });
  await bench.renew('a.io/app', pod('token', { role: 'r', other: 'o' }));
  await bench.renew('a.io/app', pod('token', { role: 'r', tenant: 't' }));
  const requests = bench.orders.map(({ input }) => JSON.parse(input?.reveal() ?? ''));
  expect(requests).toMatchObject([
    { image: 'a.io/app', serviceAccountToken: 'token', serviceAccountAnnotations: { role: 'r' } },
    { serviceAccountAnnotations: { role: 'r', tenant: 't' } },
  ]);
  expect(requests[0].serviceAccountAnnotations).toEqual({ role: 'r' });
});

test('a plugin without tokenAttributes gets none, and images are told apart alone', async () => {
  const bench = createProviderBench();
  bench.says({ cacheKeyType: 'Image', cacheDuration: '1h', auth: auth() });
  await bench.renew('a.io/app', pod('token', { role: 'r' }));
  await bench.renew('a.io/app', pod('other'));
  await bench.renew('a.io/app');
  expect(bench.orders).toHaveLength(1);
  expect(bench.orders[0]?.input?.reveal()).not.toContain('token');
});

test('without a required token or annotation it is not run', async () => {
  const bench = createProviderBench(attributes({ requiredServiceAccountAnnotationKeys: ['role'] }));
  expect(await bench.ask('a.io/app')).toMatchObject({
    ok: false,
    reason: 'notPermitted',
    code: 'credentialProvider.noToken',
    hint: expect.stringContaining('lanyard image config'),
  });
  const refused = await bench.ask('a.io/app', pod('token-canary', { other: 'annotation-canary' }));
  expect(refused).toMatchObject({ ok: false, code: 'credentialProvider.annotation' });
  expect(JSON.stringify(refused)).not.toContain('canary');
  expect(bench.orders).toEqual([]);
});

test('without a token that isn’t required it is run without one, and its answer is for those without one', async () => {
  const bench = createProviderBench(attributes({ requireServiceAccount: false }));
  bench.says({ cacheKeyType: 'Global', cacheDuration: '1h', auth: auth() });
  await bench.renew('a.io/app');
  await bench.renew('a.io/other');
  expect(bench.orders).toHaveLength(1);
  await bench.renew('a.io/app', pod('token'));
  expect(bench.orders).toHaveLength(2);
});

test.each(['Token', 'ServiceAccount'])(
  'an answer is cached for the whole token and its annotations alone (cacheType %s)',
  async (cacheType) => {
    const bench = createProviderBench(
      attributes({ cacheType, optionalServiceAccountAnnotationKeys: ['tenant'] }),
    );
    bench.says({ cacheKeyType: 'Registry', cacheDuration: '1h', auth: auth() });
    const pulls: [ServiceAccount, number][] = [
      [pod('one'), 1],
      [pod('one'), 1],
      [pod('two'), 2],
      [pod('one', { tenant: 'a' }), 3],
      [pod('one', { tenant: 'a', other: 'b' }), 3],
    ];
    for (const [serviceAccount, runs] of pulls) {
      await bench.renew('a.io/app', serviceAccount);
      expect(bench.orders).toHaveLength(runs);
    }
    bench.answers.forgetAll();
    await bench.renew('a.io/app', pod('one'));
    expect(bench.orders).toHaveLength(4);
  },
);

test('one grant for one image, token and annotations: such pulls wait for one run', async () => {
  const bench = createProviderBench(attributes({ optionalServiceAccountAnnotationKeys: ['tenant'] }));
  const first = await bench.shaped('a.io/app', pod('one'));
  expect(await bench.shaped('a.io/app', pod('one', { other: 'x' }))).toBe(first);
  const others = [
    await bench.shaped('a.io/app', pod('two')),
    await bench.shaped('a.io/other', pod('one')),
    await bench.shaped('a.io/app', pod('one', { tenant: 'a' })),
  ];
  expect(new Set([first, ...others].map(({ shape }) => shape?.key)).size).toBe(4);
});

test.each([
  ['ServiceAccount', false],
  ['Token', true],
])('the token as the password, with cacheType %s: %s', async (cacheType, ok) => {
  const bench = createProviderBench(attributes({ cacheType }));
  bench.says({ cacheKeyType: 'Image', auth: auth('token-canary') });
  const obtained = await bench.renew('a.io/app', pod('token-canary'));
  expect(obtained.ok).toBe(ok);
  if (!obtained.ok) {
    expect(obtained.message).toContain('returned the service account token as the password');
    expect(JSON.stringify(obtained)).not.toContain('canary');
  }
});

test('a token that a failing plugin quotes is not shown', async () => {
  const bench = createProviderBench(attributes());
  bench.state.outcome = { how: 'exited', code: 1, stdout: new Secret('') };
  bench.state.said = '+ jq .serviceAccountToken\n+ curl -d token-canary-0123456789 https://sts\ndenied\n';
  const refused = await bench.renew('a.io/app', pod('token-canary-0123456789'));
  expect(refused).toMatchObject({
    ok: false,
    message: expect.stringContaining('+ jq .serviceAccountToken + curl -d … https://sts denied'),
  });
});

test('an annotation that is too long for a key is a refusal, as in a kubelet', async () => {
  const bench = createProviderBench(attributes({ optionalServiceAccountAnnotationKeys: ['tenant'] }));
  expect(await bench.ask('a.io/app', pod('t', { tenant: 'x'.repeat(65_536) }))).toMatchObject({
    ok: false,
    message: expect.stringContaining('error generating service account cache key'),
  });
});
