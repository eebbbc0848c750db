import { seededRandom } from '../storm-random.ts';
import { args, env, execExtension, file, profile, provider } from './parts.ts';
import type { Question } from './questions.ts';

type Random = () => number;

function pick<T>(random: Random, all: readonly T[]): T {
  return all[Math.floor(random() * all.length)] as T;
}

function some<T>(random: Random, all: readonly T[]): T[] {
  return all.filter(() => random() < 0.5);
}

/** In another order. */
function mixed<T>(random: Random, all: readonly T[]): T[] {
  return all
    .map((each) => ({ each, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ each }) => each);
}

/** Questions by chance, the same for the same seed; of what both read alike. */
export function fuzzed(kind: 'build' | 'selector', seed: number, count: number): Question[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => (kind === 'build' ? built(random) : selected(random)));
}

const names = ['a', 'b', 'c', 'A'];
const variables = ['A', 'B', 'C', 'a'];

function built(random: Random): Question {
  const providers = mixed(random, some(random, [...names, 'a'])).map((name) =>
    provider(
      name,
      random() < 0.1
        ? null
        : {
            args: pick(random, [null, [], ['x'], ['x', 'y']]),
            env: some(random, variables).map((each) => ({ name: each, value: `own-${each}` })),
            provideClusterInfo: random() < 0.5,
          },
      {
        profileSourcedCLIArgsPolicy: pick(random, ['', 'Ignore', 'Append', 'Append', undefined]),
        profileSourcedEnvVarsPolicy: pick(random, ['', 'Ignore', 'AppendIfNotExists', 'Replace', undefined]),
      },
    ),
  );
  const listed = (from: readonly string[]) =>
    mixed(random, from).map((name) => ({ name, cluster: cluster(random) }));
  const status = {
    accessProviders: listed(some(random, names)),
    ...(random() < 0.3 && { credentialProviders: listed(some(random, names)) }),
  };
  return { op: 'build', file: file(...providers), profiles: [profile(status)] };
}

function cluster(random: Random): object {
  const extensions = [
    [execExtension, pick<unknown>(random, [{ a: 1 }, [1], 'x', null])],
    [args, pick<unknown>(random, [['--p'], ['x', 'x'], [], null, 'text', { a: 'b' }])],
    [
      env,
      pick<unknown>(random, [
        ...Array(4)
          .fill(0)
          .map(() => set(random)),
        ['A'],
        'text',
      ]),
    ],
  ];
  return {
    server: `https://${pick(random, ['one', 'two'])}.example.com${pick(random, ['', ':6443', '/a/b'])}`,
    ...(random() < 0.3 && { 'proxy-url': pick(random, ['', 'http://proxy:3128', 'socks5://proxy:1']) }),
    // In this order: of two faults, the library tells the first.
    extensions: some(random, extensions).map(([name, extension]) => ({ name, extension })),
  };
}

function set(random: Random): object {
  return Object.fromEntries(some(random, variables).map((name) => [name, `theirs-${name}`]));
}

const pieces = [
  ...['a', 'b', 'in', 'notin', 'env', '1', '12', 'x.y/z', '-', 'ä', 'a-', '/', '.', '_'],
  ...['=', '==', '!=', '!', '(', ')', ',', '<', '>', ' ', ' ', '\t', ',', '(', ')', ' in (', ' notin ('],
];

function selected(random: Random): Question {
  const selector = Array.from({ length: 1 + Math.floor(random() * 9) }, () => pick(random, pieces)).join('');
  const labels = Object.fromEntries(
    some(random, ['a', 'b', 'in', 'env', 'x.y/z']).map((key) => [
      key,
      pick(random, ['', 'a', 'b', 'in', '1', '12']),
    ]),
  );
  return { op: 'selector', selector, labels };
}
