import { describe, expect, it } from 'vitest';
import { isLong } from '../../../test/support/long.ts';
import { seededRandom } from '../../../test/support/storm-random.ts';
import { account } from '../../contract/config/accounts/account.ts';
import { inventory } from '../../contract/config/inventory.ts';
import { contextNames } from './context-names.ts';
import { ignoredText } from './profile-variables.ts';
import { readProfile } from './read-profile.ts';
import { profileResolver } from './resolve-profile.ts';
import { execExtension, extension, profileObject, todaysArgs, todaysEnv } from './testing/a-profile.ts';

const seed = Number(process.env['LANYARD_SEED'] ?? 17);
const count = isLong ? 5_000 : 500;

const whole = profileObject({
  metadata: { labels: { env: 'prod' } },
  status: {
    version: { kubernetes: '1.37' },
    properties: [{ name: 'location', value: 'eu' }],
    conditions: [{ type: 'ControlPlaneHealthy', status: 'True', reason: 'Up', message: 'up' }],
    accessProviders: [
      {
        name: 'google',
        cluster: {
          server: 'https://api.example.com/a',
          'tls-server-name': 'x',
          'certificate-authority-data': '',
          'proxy-url': 'http://proxy:3128',
          extensions: [
            extension(execExtension, { a: 1 }),
            extension(todaysArgs, ['--a']),
            extension(todaysEnv, { A: 'b' }),
          ],
        },
      },
    ],
    credentialProviders: [{ name: 'eks', cluster: { server: 'https://eks' } }],
  },
});

const odd: readonly unknown[] = [
  ...[
    null,
    undefined,
    true,
    0,
    -1,
    Number.POSITIVE_INFINITY,
    '',
    ' ',
    '\0',
    '\u202e\u001b[2J',
    '\ud800',
    'x'.repeat(70_000),
  ],
  ...[
    [],
    {},
    [[]],
    [null],
    [{}],
    { name: 'google' },
    [{ name: 'google' }],
    { __proto__: null },
    Symbol.iterator,
  ],
  ...[
    'https://a:b@c',
    'https://[::1]:1/%2e%2e/',
    'https://[::g]',
    'javascript:x',
    '//x',
    'LS0tLS1CRUdJTiBYLS0tLS0=',
    '====',
    'aa\u0000=',
  ],
];

/** A copy in which something is something else, or is there under another name. */
function mutated(value: unknown, random: () => number): unknown {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  if (random() < 0.04) {
    return pick(odd);
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => mutated(item, random));
    return random() < 0.05 ? [...items, ...items] : items;
  }
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [
        random() < 0.01 ? pick(['__proto__', '', 'a=b', '\u202e', 'x'.repeat(300)]) : key,
        mutated(each, random),
      ]),
    );
  }
  return value;
}

/** All texts in it, but those that are passed on unchanged. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') {
    return [value];
  }
  if (value instanceof Map) {
    return [...value].flatMap(textsIn);
  }
  return value !== null && typeof value === 'object'
    ? Object.entries(value).flatMap(([key, each]) =>
        key === 'execConfig' || key === 'certificateAuthorityPem' ? [] : textsIn(each),
      )
    : [];
}

/** (rule: stripped-text, bounded-input) */
describe('a profile that is odd by chance', () => {
  const config = inventory.parse({
    files: ['/x'],
    providers: ['google', 'eks'].map((name) => ({
      name,
      account: 'plugin',
      profileSourcedCLIArgsPolicy: 'Append',
      profileSourcedEnvVarsPolicy: 'Replace',
      allowedEnvVars: ['A'],
    })),
    serverRewrites: [{ from: 'https://api.example.com', to: 'https://x/y' }],
    servers: ['*.example.com', '10.0.0.0/8', 'https://x/y'],
  });
  const execPlugin = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'c',
    interactiveMode: 'Never',
  };
  const accounts = new Map([['plugin', { config: account.parse({ execPlugin }) }]]);
  const resolver = profileResolver({ name: 'fleet', config });
  const random = seededRandom(seed);

  it('is read and resolved without an exception, into clean and bounded text', () => {
    const unclean: unknown[] = [];
    let resolvedCount = 0;
    let faultCount = 0;
    for (let round = 0; round < count; round++) {
      const value = mutated(whole, random);
      const read = readProfile(value, 'fleet', 'default');
      const resolution = read.ok ? resolver(read.profile, accounts) : null;
      const names = read.ok
        ? contextNames([read.profile], {
            template: () => '{clusterset}-{location}/{displayName}@{name}',
            given: [],
            isTaken: () => false,
          })
        : new Map();
      const ignored = resolution?.ok ? resolution.ignored.map(ignoredText) : [];
      const texts = textsIn([read, resolution, ignored, [...names.values()]]);
      // Of 1,000 characters, each may be an escape.
      if (texts.some((text) => /[\p{C}\p{Zl}\p{Zp}]/u.test(text) || text.length > 12_000)) {
        unclean.push(value);
      }
      resolvedCount += resolution?.ok ? 1 : 0;
      faultCount += resolution?.ok === false || !read.ok ? 1 : 0;
    }
    expect(unclean, `seed ${seed}`).toEqual([]);
    expect(Math.min(resolvedCount, faultCount)).toBeGreaterThan(count / 20);
  });
});
