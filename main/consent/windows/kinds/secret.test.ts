import { beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createCa,
  type IssuedCertificate,
  issueClientCertificate,
} from '../../../../test/support/certificates.ts';
import { Secret } from '../../../base/secret.ts';
import type { VaultContent } from '../../../ports/vault.ts';
import { secretWindow } from './secret.ts';

let old: IssuedCertificate;
let fresh: IssuedCertificate;
let content: VaultContent;
beforeAll(async () => {
  const ca = await createCa('users');
  old = await issueClientCertificate(ca, { commonName: 'old' });
  fresh = await issueClientCertificate(ca, { commonName: 'fresh' });
});
beforeEach(() => {
  content = {
    secrets: { ops: { certificate: new Secret(old.certificatePem), key: new Secret(old.keyPem) } },
  } as unknown as VaultContent;
});

function window(named: string, users: object = { clusters: new Map(), registries: new Map() }) {
  return secretWindow(
    {
      config: {
        current: () =>
          ({
            accounts: new Map([['ops', { name: 'ops', config: { clientCertificate: {} } }]]),
            ...users,
          }) as never,
      },
      gate: () => null,
      clock: { now: () => Date.now() },
      vault: {
        read: () => content,
        update: async (next) => {
          content = next(content);
        },
      },
      recorder: { record: () => undefined },
      onChanged: () => undefined,
    },
    'ops',
    named,
  );
}

const submit = (certificate: string, key: string, named = 'certificate') =>
  // As a form sends it.
  window(named).submit(
    {
      certificate: new Secret(certificate.replaceAll('\n', '\r\n')),
      key: new Secret(key.replaceAll('\n', '\r\n')),
    },
    'yes',
  );

const kept = () => Object.values(content.secrets['ops'] ?? {}).map((each) => each.reveal());

test.each(['', 'certificate', 'key'])('a client certificate (%s) has a field for each half', (named) => {
  expect(window(named).content.fields?.map(({ name, kind }) => [name, kind])).toEqual([
    ['certificate', 'lines'],
    ['key', 'lines'],
  ]);
});

test('both are kept at once, also from one field', async () => {
  expect(await submit(fresh.certificatePem, fresh.keyPem)).toMatchObject({ kind: 'done', good: true });
  expect(kept()).toEqual([fresh.certificatePem, fresh.keyPem]);
  expect(await submit(old.certificatePem + old.keyPem, '')).toMatchObject({ kind: 'done', good: true });
  expect(kept()).toEqual([old.certificatePem, old.keyPem]);
});

test.each<[string, () => [string, string], RegExp]>([
  ['halves of two pairs', () => [fresh.certificatePem, old.keyPem], /not that of the certificate “fresh”/],
  ['a half that doesn’t fit the one that stays', () => [fresh.certificatePem, ''], /ops\/key/],
  ['nothing', () => ['', ''], /empty/],
  ['no PEM', () => ['canary', ''], /neither/],
])('%s: the form is shown again, and the pair stays', async (_, fields, fault) => {
  const again = await submit(...fields());
  expect(again).toMatchObject({ kind: 'again', fault: expect.stringMatching(fault) });
  expect(JSON.stringify(again)).not.toContain('canary');
  expect(kept()).toEqual([old.certificatePem, old.keyPem]);
});

test('a key alone that fits: the certificate stays', async () => {
  expect(await submit('', old.keyPem, 'key')).toMatchObject({ kind: 'done', good: true });
  expect(kept()).toEqual([old.certificatePem, old.keyPem]);
});

test('what its account is used for is shown: clusters, and registries as such', () => {
  const users = (name: string) => new Map([[name, { name, config: { account: 'ops' } }]]);
  const used = (all: object) => window('', all).content.rows?.find(([label]) => label === 'used for')?.[1];
  expect(used({ clusters: users('prod'), registries: users('ghcr') })).toBe('prod, registry ghcr');
  expect(used({ clusters: new Map(), registries: new Map() })).toBe('nothing yet');
});
