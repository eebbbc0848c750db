import { describe, expect, test } from 'vitest';
import { onWindows } from '../../../test/support/system.ts';
import type { ModuleOrder } from '../../accounts/pkcs11/prepare-module.ts';
import { aSlot } from '../../accounts/pkcs11/testing/a-slot.ts';
import { pkcs11Account } from '../../contract/config/accounts/pkcs11.ts';
import { refuse } from '../../contract/refusal.ts';
import type { ProgramFacts } from '../../domain/program/program.ts';
import { someProgram } from '../../domain/testing/some-program.ts';
import { type ListTokensDeps, listModuleFile, listTokens, type TokenAccount } from './list-tokens.ts';

const module = '/lib/p11.so';
const digest = 'ab'.repeat(32);

function account(name: string, fields: object = {}): TokenAccount {
  const pkcs11 = pkcs11Account.parse({ module, ...fields });
  return { name, config: { pkcs11 }, certificateAuthorityPem: null };
}

function bench({
  facts = someProgram(module, { sha256: digest, isLibrary: true }) as ProgramFacts,
  shut = null as ReturnType<ListTokensDeps['gate']>,
  platform = 'linux' as NodeJS.Platform,
} = {}) {
  const orders: ModuleOrder[] = [];
  const deps: ListTokensDeps = {
    gate: () => shut,
    directory: {
      account: (name) =>
        name === 'pending'
          ? refuse('notPermitted', 'binding.held', 'it is pending')
          : ({ ok: true } as never),
    },
    vault: { read: () => ({ secrets: {} }) as never },
    programs: { find: async () => ({ ok: true, path: module, target: module, sha256: digest }) },
    environment: { HOME: '/home/u', AWS_PROFILE: 'work', LD_PRELOAD: '/evil.so' },
    look: async (plugin) => {
      expect(plugin).toEqual({ command: module, isLibrary: true });
      return facts;
    },
    list: async (order) => {
      orders.push(order);
      return {
        ok: true,
        library: { manufacturer: 'Maker', description: 'Keys\u0007', version: '2.1' },
        slots: [aSlot()],
      };
    },
    platform,
  };
  return { deps, orders };
}

const { signal } = new AbortController();
const environment = {
  ...{ HOME: '/home/u', PATH: expect.any(String), TERM: 'dumb' },
  ...(onWindows && { ComSpec: expect.any(String), PATHEXT: expect.any(String) }),
};

const mayLoad = async () => true;

describe('the tokens of accounts', () => {
  test('are those of the approved module, in an environment of its own', async () => {
    const { deps, orders } = bench();
    const env = [{ name: 'SOFTHSM2_CONF', value: '/c' }];
    const [listed] = await listTokens(deps, [account('card', { env })], signal);
    const order = { module, sha256: digest, environment: { ...environment, SOFTHSM2_CONF: '/c' } };
    expect(orders).toEqual([order]);
    expect(listed).toMatchObject({
      ok: true,
      report: {
        module,
        accounts: ['card'],
        library: 'Maker, Keys\\u{7} 2.1',
        slots: [{ token: { label: 'card' } }],
      },
    });
  });

  test('are read once where accounts share a module with its variables', async () => {
    const { deps, orders } = bench();
    const env = [{ name: 'A', value: 'b' }];
    const accounts = [account('one'), account('two', { token: 'x' }), account('three', { env })];
    const listed = await listTokens(deps, accounts, signal);
    expect(listed).toMatchObject([
      { report: { accounts: ['one', 'two'] } },
      { report: { accounts: ['three'] } },
    ]);
    expect(orders).toHaveLength(2);
  });

  test('are not read for what isn’t approved', async () => {
    const { deps, orders } = bench();
    expect(await listTokens(deps, [account('pending')], signal)).toEqual([
      { ...refuse('notPermitted', 'binding.held', 'it is pending'), module, accounts: ['pending'] },
    ]);
    expect(orders).toEqual([]);
  });

  test('are not read while Lanyard is locked', async () => {
    const { deps, orders } = bench({ shut: refuse('locked', 'vault.locked', 'lanyard is locked') });
    expect(await listTokens(deps, [account('card')], signal)).toMatchObject([{ reason: 'locked' }]);
    expect(orders).toEqual([]);
  });

  test('are Linux’s alone', async () => {
    const { deps, orders } = bench({ platform: 'darwin' });
    const [listed] = await listTokens(deps, [account('card')], signal);
    expect(listed).toMatchObject({ code: 'pkcs11.platform' });
    expect(await listModuleFile(deps, { module, env: [] }, [], signal, mayLoad)).toMatchObject({
      code: 'pkcs11.platform',
    });
    expect(orders).toEqual([]);
  });
});

describe('a module that the user names', () => {
  test('is not loaded where they say no', async () => {
    const { deps, orders } = bench();
    expect(await listModuleFile(deps, { module, env: [] }, [], signal, async () => false)).toMatchObject({
      code: 'pkcs11.notLoaded',
    });
    expect(orders).toEqual([]);
  });

  test('is loaded as it is now, in the same environment', async () => {
    const { deps, orders } = bench();
    const env = [{ name: 'A', value: 'b' }];
    expect(await listModuleFile(deps, { module, env }, [], signal, mayLoad)).toMatchObject({
      ok: true,
      report: { accounts: [] },
    });
    expect(orders).toEqual([{ module, sha256: digest, environment: { ...environment, A: 'b' } }]);
  });

  const library = someProgram(module, { sha256: digest, isLibrary: true });
  test.each<[what: string, facts: ProgramFacts, refusal: object]>([
    [
      'others can write it',
      { ...library, writers: [{ path: '/lib', who: 'everybody' }] },
      {
        reason: 'notPermitted',
        message: `${module} is not loaded: everybody can write /lib`,
        hint: onWindows ? 'look: icacls /lib' : 'look: ls -ld /lib',
      },
    ],
    ['it isn’t known who can', { ...library, writers: null }, { reason: 'notPermitted' }],
    [
      'it is missing',
      { kind: 'missing', path: null },
      { reason: 'notFound', message: `${module}: not there now` },
    ],
    ['it is a folder', { kind: 'folder', path: module }, { message: `${module} is a folder` }],
    ['it can’t be read', { ...library, sha256: null }, { message: `${module} can’t be read` }],
  ])('is not loaded where %s', async (_, facts, refusal) => {
    const { deps, orders } = bench({ facts });
    expect(await listModuleFile(deps, { module, env: [] }, [], signal, mayLoad)).toMatchObject({
      ok: false,
      ...refusal,
    });
    expect(orders).toEqual([]);
  });
});
