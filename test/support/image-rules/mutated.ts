import { seededRandom } from '../storm-random.ts';
import { config, provider, v1 } from './config-rows.ts';
import type { Question } from './questions.ts';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

const wholeConfig: Json = {
  apiVersion: 'kubelet.config.k8s.io/v1',
  kind: 'CredentialProviderConfig',
  providers: [
    {
      name: 'a',
      matchImages: ['a.io', '*.b.io'],
      defaultCacheDuration: '1h',
      apiVersion: v1,
      args: ['x'],
      env: [{ name: 'A', value: 'b' }],
      tokenAttributes: {
        serviceAccountTokenAudience: 'aud',
        cacheType: 'Token',
        requireServiceAccount: true,
        requiredServiceAccountAnnotationKeys: ['k'],
        optionalServiceAccountAnnotationKeys: ['o'],
      },
    },
    { name: 'b', matchImages: ['c.io'], defaultCacheDuration: '0', apiVersion: `${v1}beta1` },
  ],
};
const wholeResponse: Json = {
  apiVersion: v1,
  kind: 'CredentialProviderResponse',
  cacheKeyType: 'Image',
  cacheDuration: '1h',
  auth: { 'a.io': { username: 'u', password: 'p' }, '*.io/app': { username: 'v', password: 'q' } },
};

const values: readonly Json[] = [
  ...[
    null,
    1,
    -1.5,
    '',
    true,
    false,
    'a',
    'b',
    '1h',
    '-1s',
    'a.io',
    '%zz',
    'Token',
    'Registry',
    'v1',
    'x/y/z',
    'ä',
  ],
  ...[[], {}, ['a'], [null], { a: 1 }, { name: 'A' }],
];
const names = [
  'foo',
  'Name',
  'name',
  'username',
  'kind',
  'providers',
  'auth',
  'cacheType',
  'args',
  'env',
  'x.y',
];
const pieces = ['"name":"z",', '"kind":"x",', '{', '}', ',', '"', ' ', 'null', '"a":1,', '\\', '\t'];

/** Configurations, or responses at two pulls, with up to three things changed, in JSON. */
export function mutated(op: 'config' | 'session', seed: number, count: number): readonly Question[] {
  const random = new Mutations(seed);
  const make: Record<typeof op, () => Question> = {
    config: () => ({ op: 'config', files: { 'c.yaml': random.text(wholeConfig) } }),
    session: () => ({
      op: 'session',
      files: { 'c.yaml': config(provider()) },
      steps: [0, 1].map((at) => ({ at, image: 'a.io/app', prints: { a: random.text(wholeResponse) } })),
    }),
  };
  return Array.from({ length: count }, make[op]);
}

class Mutations {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  text(whole: Json): string {
    const value = structuredClone(whole);
    for (let changes = 1 + this.#below(3); changes > 0; changes--) {
      this.#change(value);
    }
    let text = JSON.stringify(value);
    if (this.#random() < 0.15) {
      text = text.replace(
        /"(?:name|username|auth|matchImages|kind|cacheType)":/,
        (name) => `${name}${JSON.stringify(this.#pick(values))},${name}`,
      );
    }
    if (this.#random() < 0.25) {
      // Behind the first brace: what doesn’t begin with one is YAML.
      const at = 1 + this.#below(text.length - 1);
      text = text.slice(0, at) + this.#pick(pieces) + text.slice(at + this.#below(3));
    }
    return text;
  }

  /** Somewhere within it: a member or an item goes, comes, or becomes another. */
  #change(value: Json): void {
    const inside = this.#pick(containers(value));
    const key = this.#pick(Object.keys(inside));
    const choice = this.#below(5);
    const other = structuredClone(this.#pick(values));
    if (Array.isArray(inside)) {
      const at = Number(key ?? 0);
      inside.splice(at, choice === 1 ? 0 : 1, ...(choice === 0 ? [] : [other]));
    } else if (choice === 0 && key !== undefined) {
      delete inside[key];
    } else {
      inside[choice === 1 || key === undefined ? this.#pick(names) : key] = other;
    }
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#below(from.length)] as T;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}

function containers(value: Json): (Json[] | { [name: string]: Json })[] {
  return typeof value === 'object' && value !== null
    ? [value, ...Object.values(value).flatMap(containers)]
    : [];
}
