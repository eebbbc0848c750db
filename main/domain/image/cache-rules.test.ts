import { describe, expect, it } from 'vitest';
import { Secret } from '../../base/secret.ts';
import { flightKey, type ServiceAccountPull } from './cache-rules.ts';

const pull: ServiceAccountPull = {
  namespace: 'default',
  name: 'sa',
  uid: 'uid',
  annotations: new Map([
    ['a', '1'],
    ['b', '2'],
  ]),
  token: new Secret('token'),
  cacheType: 'ServiceAccount',
};
const key = (image: string, account: ServiceAccountPull | null) => {
  const made = flightKey(image, account);
  return made.ok ? made.key : made.message;
};

// The caches themselves are compared with the kubelet's: test/integration/image-rules.test.ts.
describe('flightKey', () => {
  it('is the image where no service account is asked for', () => {
    expect(key('a.io/app', null)).toBe('a.io/app');
  });

  it('is the same for the same token and annotations, for each service account', () => {
    const other = {
      ...pull,
      namespace: 'x',
      name: 'y',
      uid: 'z',
      annotations: new Map([...pull.annotations].reverse()),
    };
    expect(key('a.io/app', other)).toBe(key('a.io/app', pull));
  });

  it.each([
    ['another image', key('a.io/other', pull)],
    ['another token', key('a.io/app', { ...pull, token: new Secret('other') })],
    ['other annotations', key('a.io/app', { ...pull, annotations: new Map([['a', '1']]) })],
    [
      'an annotation that ends elsewhere',
      key('a.io/app', {
        ...pull,
        annotations: new Map([
          ['a1', ''],
          ['b', '2'],
        ]),
      }),
    ],
    ['no service account', key('a.io/app', null)],
  ])('is another one for %s', (_, other) => {
    expect(other).not.toBe(key('a.io/app', pull));
  });

  it('does not contain the token', () => {
    expect(key('a.io/app', pull)).not.toContain('token');
  });

  it('can’t be made with an annotation of 64 KiB', () => {
    const annotations = new Map([['a', 'x'.repeat(65_536)]]);
    expect(key('a.io/app', { ...pull, annotations })).toBe(
      'error generating singleflight key: cryptobyte: pending child length 65536 exceeds 2-byte length prefix',
    );
  });
});
