import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { BrokerError } from '../../contract/broker-error.ts';
import type { VaultContent } from '../../ports/vault.ts';
import { secretSetCommand } from './secret-command.ts';
import { commandCall } from './testing/command-call.ts';

function bench() {
  let content = { sessions: {}, secrets: {} } as unknown as VaultContent;
  const command = secretSetCommand({
    config: {
      current: () =>
        ({
          accounts: new Map([
            ['corp', { name: 'corp', config: { oidc: {} } }],
            ['eks', { name: 'eks', config: { execPlugin: { env: [{ name: 'TOKEN' }] } } }],
          ]),
        }) as never,
    },
    vault: {
      read: () => content,
      update: async (next) => {
        content = next(content);
      },
    },
    recorder: { record: () => undefined },
    onChanged: () => undefined,
  });
  return {
    set: (args: string[], stdin: string) => command(commandCall(args, { stdin })),
    kept: (part: string, account = 'corp') => content.secrets[account]?.[part]?.reveal(),
  };
}

const pem = String(
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
);

describe('an OpenID client’s own proof', () => {
  test('without a part it is the secret; both may be set', async () => {
    const at = bench();
    await at.set(['corp'], 'the secret\n');
    await at.set(['corp/clientKey'], pem);
    expect(at.kept('clientSecret')).toBe('the secret');
    expect(at.kept('clientKey')).toBe(pem.trim());
  });

  test.each([
    ['canary', /neither a private key in PEM/],
    ['-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----\n', /can’t be read/],
    ['{"kty":"RSA","canary":1}', /without its private part/],
  ])('a key that can’t be used is refused and not kept: %s', async (text, said) => {
    const at = bench();
    const failed = await at.set(['corp/clientKey'], text).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(BrokerError);
    expect(failed).toMatchObject({
      code: 'secret.clientKey',
      reason: 'usage',
      message: expect.stringMatching(said),
    });
    expect(String((failed as Error).message)).not.toContain('canary');
    expect(at.kept('clientKey')).toBeUndefined();
  });
});

describe('a plugin’s variable', () => {
  test('is kept as it is given, but for the end of the last line', async () => {
    const at = bench();
    const answer = await at.set(['eks/env.TOKEN'], ' two\nlines \n');
    expect(at.kept('env.TOKEN', 'eks')).toBe(' two\nlines ');
    expect(answer.stderr).toBe('Kept env.TOKEN of eks.\n');
  });

  test.each(['a\0b', 'x'.repeat(64 * 1024 + 1)])('can’t be what no variable can hold', async (value) => {
    const at = bench();
    await expect(at.set(['eks/env.TOKEN'], value)).rejects.toMatchObject({ code: 'secret.variable' });
    expect(at.kept('env.TOKEN', 'eks')).toBeUndefined();
  });
});
