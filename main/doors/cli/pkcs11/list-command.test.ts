import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aKey, aSlot } from '../../../accounts/pkcs11/testing/a-slot.ts';
import { pkcs11Account } from '../../../contract/config/accounts/pkcs11.ts';
import { refuse } from '../../../contract/refusal.ts';
import { someProgram } from '../../../domain/testing/some-program.ts';
import { withoutStyle } from '../../../domain/text/style.ts';
import type { Caller } from '../../../ports/caller.ts';
import { commandCall } from '../testing/command-call.ts';
import { type Pkcs11ListDeps, pkcs11ListCommand } from './list-command.ts';

const module = '/lib/p11.so';
const slots = [
  aSlot({
    keys: [
      aKey(),
      aKey({
        id: '02',
        label: 'old',
        kind: 'rsa',
        bits: 2048,
        curve: null,
        certificate: null,
        schemes: [0x0401],
      }),
      aKey({
        id: '03',
        label: 'short',
        kind: 'rsa',
        bits: 1024,
        curve: null,
        schemes: [],
        problem: 'it is short',
      }),
    ],
    flags: { triesLow: true, finalTry: true },
  }),
  aSlot({ slot: 1, label: 'locked', serial: '18', keys: [], flags: { locked: true } }),
  aSlot({ slot: 2, flags: { initialized: false } }),
  { slot: 3, description: 'another reader', token: null },
];

function setUp({ list = {}, gate = () => null }: { list?: object; gate?: Pkcs11ListDeps['gate'] } = {}) {
  const loaded: string[] = [];
  const extended: number[] = [];
  const command = pkcs11ListCommand({
    config: {
      current: () =>
        ({
          accounts: new Map([
            ['card', { name: 'card', config: { pkcs11: pkcs11Account.parse({ module, label: 'me' }) } }],
            ['corp', { name: 'corp', config: { staticToken: {} } }],
          ]),
        }) as never,
    } as unknown as Pkcs11ListDeps['config'],
    gate,
    directory: { account: () => ({ ok: true }) as never },
    vault: { read: () => ({ secrets: {} }) as never },
    programs: { find: async () => ({ ok: true, path: module, target: module, sha256: 'one' }) },
    environment: {},
    look: async ({ command: path }) => someProgram(path, { isLibrary: true }),
    list: async (order) => {
      loaded.push(order.module);
      const library = { manufacturer: 'Maker', description: '', version: '2.1' };
      return { ok: true, library, slots, ...list } as never;
    },
    clock: { now: () => 0 },
    installed: async () => [
      { module, name: 'the same' },
      { module: '/usr/lib/opensc-pkcs11.so', name: 'smart cards (OpenSC)' },
    ],
    platform: 'linux',
  });
  const run = async (args: string[], origin: Caller['origin'] = 'local') => {
    const call = commandCall(args, { origin });
    const terminal = { ...call.terminal, extend: (seconds: number) => void extended.push(seconds) };
    return withoutStyle((await command({ ...call, cwd: '/home/u', terminal })).stdout ?? '');
  };
  return { run, loaded, extended };
}

const tokens = `token card, serial 17, slot 0 (Maker One): needs its PIN; the next wrong one locks it
  KEY    ID  KIND      CERTIFICATE  EXPIRES  USABLE`;

describe('lanyard pkcs11 list', () => {
  test('shows the tokens of all accounts, and names what else is installed', async () => {
    const { run, loaded, extended } = setUp();
    expect(await run([])).toBe(`/lib/p11.so (Maker 2.1), of card
card: several tokens fit: name one by its label or serial number

${tokens}              ACCOUNT
  me     01  P-256     me           -        TLS 1.2 and 1.3     card
  old    02  RSA 2048  -            -        no: no certificate
  short  03  RSA 1024  me           -        no: it is short

token locked, serial 18, slot 1 (Maker One): its PIN is locked
  no keys that it shows without a login; 1 certificate

slot 2 (a reader): a token that isn’t initialized

slot 3 (another reader): no token

Installed here, and not loaded:
  /usr/lib/opensc-pkcs11.so  smart cards (OpenSC)
To see what is in one of them: lanyard pkcs11 list --module FILE
`);
    expect(loaded).toEqual([module]);
    expect(extended).toEqual([60]);
  });

  test('shows those of one account', async () => {
    const { run } = setUp();
    const text = await run(['card']);
    expect(text).toContain('token card');
    expect(text).not.toContain('Installed here');
  });

  test('shows those of a module that no account names', async () => {
    const { run, loaded } = setUp();
    expect(await run(['--module', 'mine.so'])).toContain(
      `${resolve('/home/u/mine.so')} (Maker 2.1)\n\n${tokens}\n`,
    );
    expect(loaded).toEqual([resolve('/home/u/mine.so')]);
  });

  test('says what keeps an account’s from being shown, and goes on', async () => {
    const { run, loaded } = setUp({
      gate: () => refuse('locked', 'vault.locked', 'lanyard is locked', 'lanyard unlock'),
    });
    const text = await run([]);
    expect(text).toContain('/lib/p11.so, of card\n  lanyard is locked\n  hint: lanyard unlock\n');
    expect(text).toContain('opensc-pkcs11.so');
    expect(loaded).toEqual([]);
    await expect(run(['card'])).rejects.toMatchObject({ reason: 'locked', hint: 'lanyard unlock' });
  });

  test('needs no open vault for a module that is named', async () => {
    const { run } = setUp({ gate: () => refuse('locked', 'vault.locked', 'lanyard is locked') });
    expect(await run(['--module', module])).toContain('token card');
  });

  test('fails where the named module doesn’t answer', async () => {
    const late = refuse('timedOut', 'pkcs11.late', 'the module did not answer within 20 s, and was ended');
    const { run } = setUp({ list: late });
    await expect(run(['--module', module])).rejects.toMatchObject({
      code: 'pkcs11.late',
      reason: 'timedOut',
    });
  });

  test('is JSON with all of it', async () => {
    const { run } = setUp();
    const { modules, installed } = JSON.parse(await run(['--json']));
    expect(installed).toEqual([{ module: '/usr/lib/opensc-pkcs11.so', name: 'smart cards (OpenSC)' }]);
    expect(modules).toMatchObject([
      {
        module,
        accounts: ['card'],
        library: 'Maker 2.1',
        problem: null,
        slots: [
          {
            slot: 0,
            token: {
              tries: 'final',
              keys: [
                { label: 'me', tls: ['1.2', '1.3'], problem: null, accounts: ['card'] },
                { label: 'old', problem: 'no certificate', accounts: [] },
                { label: 'short', problem: 'it is short' },
              ],
            },
          },
          { token: { tries: 'locked' } },
          { token: { isInitialized: false } },
          { token: null },
        ],
        selected: [{ account: 'card', state: 'severalTokens' }],
      },
    ]);
  });

  test.each<[args: string[], message: string]>([
    [['card', '--module', module], 'say ACCOUNT or --module'],
    [['--env', 'A=b'], '--env goes with --module'],
    [['card', 'other'], 'unexpected argument'],
    [['corp'], 'the account corp has no key on a token'],
    [['crad'], 'there is no account named "crad"'],
    [['--module', module, '--env', 'A'], 'give its value, as --env A=VALUE'],
    [['--module', module, '--env', 'LD_PRELOAD=/x'], 'makes programs load or run something else'],
    [['--module', module, '--env', 'GNUTLS_PIN=1234'], 'holds a secret: Lanyard asks for the PIN'],
  ])('%j is refused', async (args, message) => {
    const { run, loaded } = setUp();
    await expect(run(args)).rejects.toThrow(message);
    expect(loaded).toEqual([]);
  });

  test('loads nothing for a program in another container', async () => {
    const { run, loaded } = setUp();
    await expect(run(['--module', module], 'container')).rejects.toMatchObject({ reason: 'notPermitted' });
    expect(loaded).toEqual([]);
  });
});
