import { Secret } from '../../../main/base/secret.ts';
import { encodeProviderResponse } from '../../../main/domain/image/provider-response.ts';
import { config, provider, v1 } from './config-rows.ts';
import type { Question, Step } from './questions.ts';

const group = 'credentialprovider.kubelet.k8s.io';
const minute = 60_000;

type Fields = Readonly<Record<string, unknown>>;

const response = (changed: Fields = {}): Fields => ({
  apiVersion: v1,
  kind: 'CredentialProviderResponse',
  cacheKeyType: 'Image',
  auth: { 'a.io': { username: 'u', password: 'p' } },
  ...changed,
});
const text = (changed: Fields = {}) => JSON.stringify(response(changed));

const oneProvider = { 'c.yaml': config(provider()) };

const session = (steps: readonly Step[], files = oneProvider): Question => ({ op: 'session', files, steps });
const pull = (at: number, image: string, printed: string, more: Partial<Step> = {}): Step => ({
  at,
  image,
  prints: { a: printed },
  ...more,
});

/** What a plugin prints at the first pull of all. */
const printed: readonly string[] = [
  text(),
  `${text()}\n`,
  ` \n${text()}`,
  text({ auth: null }),
  text({ auth: {} }),
  text({ auth: undefined }),
  text({ auth: { 'a.io': null } }),
  text({ auth: { 'a.io': {} } }),
  text({ auth: { 'a.io': { username: '', password: '' } } }),
  text({ auth: { 'a.io': { username: null, password: 'p' } } }),
  text({ auth: { 'a.io': { username: 'u', password: 1 } } }),
  text({ auth: { 'a.io': { username: 'u', password: 'p', email: 'e' } } }),
  text({ auth: { 'a.io': { Username: 'u', password: 'p' } } }),
  text({ auth: { 'a.io': 'u:p' } }),
  text({ auth: { 'a.io': [] } }),
  text({ auth: [] }),
  text({ auth: 'x' }),
  text({ auth: { '': { username: 'u', password: 'p' }, '%zz': { username: 'v', password: 'p' } } }),
  text({ auth: { 'b.io': { username: 'u', password: 'p' } } }),
  text({ auth: { '*.io': { username: 'u', password: 'p' }, 'a.io/app': { username: 'v', password: 'p' } } }),
  text({ auth: { 'a.io': { username: 'ü\u2028<&>', password: '"\\\n' } } }),
  text({ foo: 1 }),
  text({ metadata: {} }),
  text({ cacheDuration: null }),
  ...['0s', '0', '1h', '-1h', '1.5m', '', '1d', 'x'].map((duration) => text({ cacheDuration: duration })),
  text({ cacheDuration: 60 }),
  text({ cacheDuration: { seconds: 1 } }),
  ...['Registry', 'Global', 'image', 'Image ', '', 'x'.repeat(50)].map((type) =>
    text({ cacheKeyType: type }),
  ),
  text({ cacheKeyType: null }),
  text({ cacheKeyType: undefined }),
  text({ cacheKeyType: 1 }),
  text({ kind: undefined }),
  text({ kind: null }),
  text({ kind: '' }),
  text({ kind: 1 }),
  text({ kind: 'CredentialProviderRequest' }),
  text({ kind: 'credentialproviderresponse' }),
  text({ apiVersion: undefined }),
  text({ apiVersion: null }),
  text({ apiVersion: '' }),
  text({ apiVersion: 1 }),
  text({ apiVersion: '/' }),
  text({ apiVersion: 'v1' }),
  text({ apiVersion: '/v1' }),
  text({ apiVersion: `${group}/v1beta1` }),
  text({ apiVersion: `${group}/v1/` }),
  text({ apiVersion: `${group}/` }),
  text({ apiVersion: 'a/b/c' }),
  text().replace('"kind"', '"Kind"'),
  text().replace('"apiVersion"', '"apiversion"'),
  text().replace('"kind"', '"KIND":"x","kind"'),
  text().replace('"kind"', '"cacheKeyType":"Global","kind"'),
  text().replace('"username"', '"username":"x","username"'),
  text().replace('"a.io"', '"a.io":{},"a.io"'),
  text().replace('"auth"', '"AUTH"'),
  `[${text()}]`,
  `${text()}${text()}`,
  `${text()},`,
  text().slice(0, -1),
  text().slice(0, -12),
  ...['', '\n', 'null', 'true', '1', '"a"', '{}', '{', '[]', 'Logged in', `\ufeff${text()}`],
  `Logged in\n${text()}`,
  `apiVersion: ${v1}\nkind: CredentialProviderResponse\ncacheKeyType: Image\n`,
];

/** What Lanyard prints as a provider. */
const lanyards = (['Image', 'Registry', 'Global'] as const).flatMap((cacheKeyType) =>
  [null, 0, 1.5, 90_000, 86_400_000].flatMap((cacheMilliseconds) =>
    [new Map(), new Map([['a.io/app', { userName: 'ü', password: new Secret('"<&>\u2028\\') }]])].map(
      (auth) => encodeProviderResponse(v1, { cacheKeyType, cacheMilliseconds, auth }).reveal(),
    ),
  ),
);

const versions = ['v1alpha1', 'v1beta1', 'v1'].flatMap((version) =>
  ['v1alpha1', 'v1beta1', 'v1'].map((said) =>
    session([pull(0, 'a.io/app', text({ apiVersion: `${group}/${said}` }))], {
      'c.yaml': config(provider({ apiVersion: `${group}/${version}` })),
    }),
  ),
);

/** Images that the provider's `["*.io", …]` covers or not. */
const asked = [
  'a.io/app',
  'b.io/app',
  'a.io',
  'a.com/app',
  'a.io:5000/app',
  'docker.io/library/nginx',
  'nginx',
].map((image) => session([pull(0, image, text())]));

const cached = (
  defaultCacheDuration: string,
  changed: Fields,
  ...steps: readonly (readonly [number, string])[]
) =>
  session(
    steps.map(([at, image]) => pull(at, image, text(changed))),
    { 'c.yaml': config(provider({ defaultCacheDuration, matchImages: '["*.io", "*.io:5000"]' })) },
  );

const caching: readonly Question[] = [
  cached(
    '10m',
    {},
    [0, 'a.io/app'],
    [0, 'a.io/app'],
    [10 * minute, 'a.io/app'],
    [10 * minute + 1, 'a.io/app'],
  ),
  cached('10m', {}, [0, 'a.io/app'], [0, 'a.io/other'], [0, 'b.io/app'], [1, 'a.io/other']),
  cached(
    '10m',
    { cacheKeyType: 'Registry' },
    [0, 'a.io/app'],
    [0, 'a.io/other'],
    [0, 'b.io/app'],
    [0, 'a.io:5000/app'],
  ),
  cached('10m', { cacheKeyType: 'Global' }, [0, 'a.io/app'], [0, 'b.io/other'], [0, 'a.io:5000/app']),
  cached('10m', { cacheKeyType: 'x' }, [0, 'a.io/app'], [0, 'a.io/app']),
  cached('10m', { auth: null }, [0, 'a.io/app'], [0, 'a.io/app']),
  cached('10m', { auth: {} }, [0, 'a.io/app'], [0, 'a.io/app']),
  cached('10m', { auth: { 'b.io': { username: 'u', password: 'p' } } }, [0, 'a.io/app'], [0, 'a.io/app']),
  cached('10m', { cacheDuration: '0s' }, [0, 'a.io/app'], [0, 'a.io/app']),
  cached('10m', { cacheDuration: '1ns' }, [0, 'a.io/app'], [0, 'a.io/app'], [1, 'a.io/app']),
  cached(
    '10m',
    { cacheDuration: '1h' },
    [0, 'a.io/app'],
    [60 * minute, 'a.io/app'],
    [60 * minute + 1, 'a.io/app'],
  ),
  cached('10m', { cacheDuration: '-1s' }, [0, 'a.io/app'], [0, 'a.io/app'], [0, 'a.io/app']),
  cached('10m', { cacheDuration: '1500us' }, [0, 'a.io/app'], [1, 'a.io/app'], [2, 'a.io/app']),
  cached('0', {}, [0, 'a.io/app'], [0, 'a.io/app']),
  cached('0s', { cacheDuration: null }, [0, 'a.io/app'], [0, 'a.io/app']),
  cached('0s', { cacheDuration: '1m' }, [0, 'a.io/app'], [minute, 'a.io/app'], [minute + 1, 'a.io/app']),
  cached('0s', { cacheDuration: '-1m' }, [0, 'a.io/app'], [0, 'a.io/app']),
  // The sweep: of what isn't asked for any more.
  cached('1m', {}, [0, 'a.io/1'], [0, 'a.io/2'], [15 * minute, 'a.io/3'], [15 * minute + 1, 'a.io/4']),
  cached(
    '1m',
    {},
    [0, 'a.io/1'],
    [16 * minute, 'a.io/2'],
    [30 * minute, 'a.io/3'],
    [31 * minute + 1, 'a.io/4'],
  ),
  cached(
    '20m',
    {},
    [0, 'a.io/1'],
    [16 * minute, 'a.io/2'],
    [32 * minute, 'a.io/3'],
    [48 * minute, 'a.com/4'],
  ),
  cached('1m', {}, [0, 'a.io/1'], [60 * minute, 'a.com/1'], [60 * minute, 'a.io/2']),
  // An answer for the image comes before one for the registry, and that before a global one.
  session([
    pull(
      0,
      'a.io/1',
      text({
        cacheKeyType: 'Global',
        auth: { 'a.io': { username: 'g', password: 'p' } },
        cacheDuration: '2s',
      }),
    ),
    pull(
      3_000,
      'a.io/2',
      text({ cacheKeyType: 'Registry', auth: { 'a.io': { username: 'r', password: 'p' } } }),
    ),
    pull(4_000, 'a.io/3', text()),
    pull(5_000, 'b.io/1', text({ auth: { 'b.io': { username: 'i', password: 'p' } } })),
    pull(
      6_000,
      'b.io/2',
      text({ cacheKeyType: 'Global', auth: { 'b.io': { username: 'h', password: 'p' } } }),
    ),
    pull(7_000, 'b.io/1', text()),
    pull(7_000, 'a.io/9', text()),
    pull(7_000, 'c.io/9', text()),
  ]),
  session([pull(0, 'a.io/app', 'x'), pull(0, 'a.io/app', text()), pull(0, 'a.io/app', 'x')]),
  session([pull(0, `a.io/${'x'.repeat(65_530)}`, text()), pull(0, `a.io/${'x'.repeat(65_531)}`, text())]),
];

/** Two providers, one of which comes first. */
const two = (first: string, second: string, image: string, matchImages = '["*.io"]') =>
  session([{ at: 0, image, prints: { a: first, b: second } }], {
    'c.yaml': config(provider({ matchImages }), provider({ name: 'b' })),
  });
const entry = (userName: string) => ({ username: userName, password: 'p' });

const combined: readonly Question[] = [
  two(text({ auth: { 'a.io': entry('1') } }), text({ auth: { 'a.io': entry('2') } }), 'a.io/app'),
  two(text({ auth: { '*.io': entry('1') } }), text({ auth: { 'a.io': entry('2') } }), 'a.io/app'),
  two(text({ auth: { 'a.io/app': entry('1') } }), text({ auth: { 'a.io': entry('2') } }), 'a.io/app'),
  two('x', text({ auth: { 'a.io': entry('2') } }), 'a.io/app'),
  two(text({ auth: null }), text({ auth: { 'a.io': entry('2') } }), 'a.io/app'),
  two(text({ auth: { 'a.io': entry('1') } }), text({ auth: { 'a.io': entry('2') } }), 'a.io/app', '["b.io"]'),
  two(text({ auth: { 'a.io': entry('1'), 'https://a.io/v1/x': entry('3') } }), text({ auth: {} }), 'a.io/x'),
  two(
    text({ auth: { 'index.docker.io': entry('1') } }),
    text({ auth: { 'docker.io': entry('2') } }),
    'docker.io/library/x',
  ),
];

const withTokens = (cacheType: string, more = '', isRequired = true) => ({
  'c.yaml': config(
    provider({
      tokenAttributes: `{serviceAccountTokenAudience: aud, cacheType: ${cacheType}, requireServiceAccount: ${isRequired}${more}}`,
    }),
  ),
});
const account = { serviceAccount: 'sa', uid: 'uid', token: 'tok', annotations: {} };
const echo = { username: 'u', password: 'tok' };
const needs = ', requiredServiceAccountAnnotationKeys: [k], optionalServiceAccountAnnotationKeys: [o]';

const serviceAccounts: readonly Question[] = ['Token', 'ServiceAccount'].flatMap((type) => [
  session([pull(0, 'a.io/app', text())], withTokens(type)),
  session([pull(0, 'a.io/app', text(), account)], withTokens(type)),
  session([pull(0, 'a.io/app', text(), { ...account, token: '' })], withTokens(type)),
  session(
    [pull(0, 'a.io/app', text({ auth: { 'a.io': { username: 'u', password: 'tok' } } }), account)],
    withTokens(type),
  ),
  session(
    [
      pull(
        0,
        'a.io/app',
        text({ cacheKeyType: 'x', auth: { 'a.io': { username: 'u', password: 'tok' } } }),
        account,
      ),
    ],
    withTokens(type),
  ),
  session(
    [
      pull(0, 'a.io/app', text(), account),
      pull(1, 'a.io/app', text(), account),
      pull(2, 'a.io/app', text(), { ...account, token: 'other' }),
      pull(3, 'a.io/app', text(), { ...account, uid: 'other' }),
      pull(4, 'a.io/app', text(), { ...account, serviceAccount: 'other' }),
      pull(5, 'a.io/app', text(), { ...account, annotations: { k: 'v' } }),
    ],
    withTokens(type),
  ),
  session(
    [
      pull(0, 'a.io/app', text(), account),
      pull(1, 'a.io/app', text(), { ...account, annotations: { o: '1' } }),
      pull(2, 'a.io/app', text(), { ...account, annotations: { k: '1' } }),
      pull(3, 'a.io/app', text(), { ...account, annotations: { k: '1', x: 'y' } }),
      pull(4, 'a.io/app', text(), { ...account, annotations: { k: '1', o: '<2>' } }),
      pull(5, 'a.io/app', text(), { ...account, annotations: { k: '', o: '' } }),
      pull(6, 'a.io/app', text(), { ...account, annotations: { k: '1', o: 'x'.repeat(65_536) } }),
      pull(7, 'a.io/app', text(), {
        ...account,
        annotations: { k: 'x'.repeat(40_000), o: 'x'.repeat(40_000) },
      }),
    ],
    withTokens(type, needs),
  ),
  session(
    [pull(0, 'a.io/app', text()), pull(1, 'a.io/app', text(), account), pull(2, 'a.io/app', text())],
    withTokens(type, '', false),
  ),
  // The token as the password: of one key among others; with others in it; where there is none; what is cached of it.
  session(
    [
      pull(0, 'a.io/app', text({ auth: { 'a.io': entry('1'), 'b.io': echo } }), account),
      pull(1, 'a.io/app', text({ auth: { 'a.io': { username: 'u', password: 'tok ' } } }), account),
      pull(2, 'a.io/app', text({ auth: { 'a.io': echo } }), { ...account, token: 'other' }),
      pull(3, 'a.io/app', text(), account),
    ],
    withTokens(type),
  ),
  session(
    [
      pull(0, 'a.io/app', text({ auth: { 'a.io': echo } })),
      pull(1, 'b.io/app', text({ auth: { 'b.io': { username: 'u', password: '' } } }), {
        ...account,
        token: '',
      }),
    ],
    withTokens(type, '', false),
  ),
  // Annotations: which key has which value, and letters, tell them apart.
  session(
    [
      pull(0, 'a.io/app', text(), { ...account, annotations: { k: 'a', o: 'b' } }),
      pull(1, 'a.io/app', text(), { ...account, annotations: { o: 'b', k: 'a' } }),
      pull(2, 'a.io/app', text(), { ...account, annotations: { k: 'b', o: 'a' } }),
      pull(3, 'a.io/app', text(), { ...account, annotations: { K: 'a', o: 'b' } }),
      pull(4, 'a.io/app', text(), { ...account, annotations: { k: 'a' } }),
    ],
    withTokens(type, needs),
  ),
  session(
    [
      pull(0, 'a.io/1', text({ cacheKeyType: 'Registry' }), account),
      pull(1, 'a.io/2', text(), account),
      pull(2, 'a.io/2', text()),
      pull(3, 'a.io/2', text(), { ...account, token: 'other' }),
      pull(4, 'a.io/2', text(), account),
    ],
    withTokens(type, '', false),
  ),
  session(
    [
      pull(0, 'a.io/1', text({ cacheKeyType: 'Global' }), account),
      pull(1, 'b.io/2', text(), account),
      pull(2, 'b.io/2', text(), { ...account, uid: 'other' }),
    ],
    withTokens(type),
  ),
]);

export const sessionRows: readonly Question[] = [
  ...[...printed, ...lanyards].map((stdout) => session([pull(0, 'a.io/app', stdout)])),
  ...versions,
  ...asked,
  ...caching,
  ...combined,
  ...serviceAccounts,
];
