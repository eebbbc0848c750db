import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aKey, aSlot } from '../../../accounts/pkcs11/testing/a-slot.ts';
import { refuse } from '../../../contract/refusal.ts';
import { someProgram } from '../../../domain/testing/some-program.ts';
import { accountAddBench } from '../testing/account-add-bench.ts';

const file = resolve('/lib/p11.so');
const library = someProgram(file, { sha256: 'abc', isLibrary: true });

/** In place of a bench’s own: the module is this library. */
const setUp = (given: Parameters<typeof accountAddBench>[0] = {}) => {
  const bench = accountAddBench({ facts: library, ...given });
  return { ...bench, run: (...args: string[]) => bench.run('card', ...args) };
};

const written = (pkcs11: object) => [{ kind: 'set', what: 'account', name: 'card', value: { pkcs11 } }];

describe('lanyard account add NAME --pkcs11', () => {
  test('shows the module, loads it after a yes, says which key is meant, and binds the module', async () => {
    const { run, edits, approved, loaded, shown } = setUp();
    expect(await run('--pkcs11', file)).toMatchObject({
      code: 0,
      stderr: 'Added the account card. Next: lanyard cluster add NAME --server URL --account card --proxy\n',
    });
    expect(shown()).toBe(`module of card: ${file}, owner root, SHA-256 abc
Add card with this module? [y/N] key of card: me (P-256), with the certificate of me: TLS 1.2 and 1.3; on the token card
`);
    expect(loaded).toEqual([[file, 'abc']]);
    expect(edits).toEqual(written({ module: file }));
    expect(approved).toEqual([{ card: { path: file, sha256: 'abc' } }]);
  });

  test('takes all that config.yaml can say', async () => {
    const { run, edits } = setUp();
    await run(
      ...['--pkcs11', 'p11.so', '--token-label', 'card', '--token-serial', '17', '--slot', '0'],
      ...['--key-label', 'me', '--key-id', '01', '--certificate-file', 'me.pem', '--env', 'A=b=c'],
    );
    expect(edits).toEqual(
      written({
        module: resolve('/home/me/src/p11.so'),
        token: 'card',
        serial: '17',
        slot: 0,
        label: 'me',
        id: '01',
        certificate: resolve('/home/me/src/me.pem'),
        env: [{ name: 'A', value: 'b=c' }],
      }),
    );
  });

  test.each<[uri: string, pkcs11: object]>([
    ['pkcs11:token=card;object=me?module-path=/lib/p11.so', { uri: 'pkcs11:token=card;object=me' }],
    ['pkcs11:?module-path=/lib/p11.so', {}],
  ])('takes %s', async (uri, pkcs11) => {
    const { run, edits } = setUp();
    await run('--pkcs11', uri);
    expect(edits).toEqual(written({ module: file, ...pkcs11 }));
  });

  const twice = [aSlot(), aSlot({ slot: 1, label: 'other', serial: '18' })];
  const half = [
    aSlot(),
    aSlot({ slot: 1, label: 'other', serial: '18', keys: [aKey({ certificate: null })] }),
  ];
  const twins = [aSlot({ keys: [] }), aSlot({ slot: 1, serial: '18' })];
  test.each<[what: string, slots: object[], stated: object]>([
    ['its label', half, { token: 'card' }],
    ['its serial number, where labels are the same', twins, { serial: '18' }],
  ])('states the token of the only key that fits, by %s', async (_, slots, stated) => {
    const { run, edits } = setUp({ slots });
    expect(await run('--pkcs11', file)).toMatchObject({ code: 0 });
    expect(edits).toEqual(written({ module: file, ...stated }));
  });

  test.each<[what: string, slots: object[], hint: string]>([
    ['tokens', twice, 'add --token-label card or --token-serial 17, or those of another one'],
    [
      'keys',
      [aSlot({ keys: [aKey(), aKey({ id: '02', label: 'two' })] })],
      'add --key-id 01 or --key-label me, or those of another one',
    ],
  ])('lists what is there where several %s fit, and adds nothing', async (_, slots, hint) => {
    const { run, edits, shown } = setUp({ slots });
    await expect(run('--pkcs11', file)).rejects.toMatchObject({
      code: 'pkcs11.several',
      reason: 'usage',
      hint,
    });
    expect(shown()).toContain('KEY  ID');
    expect(edits).toEqual([]);
  });

  test('does not guess beside a URI', async () => {
    const { run } = setUp({ slots: half });
    const uri = 'pkcs11:manufacturer=Maker?module-path=/lib/p11.so';
    await expect(run('--pkcs11', uri)).rejects.toMatchObject({ code: 'pkcs11.several' });
  });

  test.each<[what: string, slots: object[], note: string]>([
    ['there is no token', [], 'its token isn’t there'],
    ['the token hides its keys', [aSlot({ keys: [] })], 'its token shows its keys after a login'],
    ['no key fits', [aSlot({ keys: [aKey({ certificate: null })] })], 'its token shows no key that fits'],
  ])('is added where %s, with a note', async (_, slots, note) => {
    const { run, edits, shown } = setUp({ slots });
    expect(await run('--pkcs11', file)).toMatchObject({ code: 0 });
    expect(shown()).toContain(`note: card: ${note}\n`);
    expect(edits).toEqual(written({ module: file }));
  });

  test('takes a key whose certificate is in a file', async () => {
    const { run, shown } = setUp({ slots: [aSlot({ keys: [aKey({ certificate: null })] })] });
    await run('--pkcs11', file, '--certificate-file', '/me.pem');
    expect(shown()).toContain('key of card: me (P-256): TLS 1.2 and 1.3; on the token card\n');
  });

  test('adds nothing where the module can’t be loaded', async () => {
    const broken = refuse('provider', 'pkcs11.moduleBroken', 'it is no PKCS#11 module');
    const { run, edits } = setUp({ list: broken });
    await expect(run('--pkcs11', file)).rejects.toMatchObject({
      code: 'pkcs11.moduleBroken',
      hint: 'nothing was added',
    });
    expect(edits).toEqual([]);
  });

  test('loads nothing before a yes, nor what others can write, nor without a terminal', async () => {
    const no = setUp({ answer: 'n' });
    await expect(no.run('--pkcs11', file)).rejects.toMatchObject({ reason: 'denied' });
    const writers = [{ path: '/lib', who: 'everybody' }];
    const open = setUp({ facts: { ...library, writers } });
    await expect(open.run('--pkcs11', file)).rejects.toMatchObject({ reason: 'notPermitted' });
    const script = setUp({ canPrompt: false });
    await script.run('--pkcs11', file);
    expect(script.edits).toEqual(written({ module: file }));
    expect([...no.loaded, ...open.loaded, ...script.loaded]).toEqual([]);
    expect([...no.edits, ...open.edits]).toEqual([]);
  });

  test.each<[args: string[], message: string]>([
    [
      ['--pkcs11', 'pkcs11:token=card?pin-value=1234'],
      '--pkcs11: leave pin-value out: Lanyard asks for the PIN',
    ],
    [['--pkcs11', 'pkcs11:token=card'], '--pkcs11: the URI names no module'],
    [['--pkcs11', file, '--pin'], 'a PIN has no place on a command line: Lanyard asks for the PIN'],
    [['--pkcs11', file, '--pin', '1234'], 'a PIN has no place on a command line'],
    [['--pkcs11', file, '--pin=1234'], 'a PIN has no place on a command line'],
    [[`--pkcs11=${file}`, '--pin-value', '1234'], 'a PIN has no place on a command line'],
    [
      ['--pkcs11', file, '--env', 'PKCS11_PIN=1234'],
      '--env PKCS11_PIN holds a secret: Lanyard asks for the PIN',
    ],
    [['--pkcs11', file, '--env', 'A'], '--env A: give its value'],
    [['--pkcs11', file, '--env', 'LD_PRELOAD=/x'], '--env LD_PRELOAD: makes programs load'],
    [['--pkcs11', file, '--slot', 'one'], '--slot takes a number'],
    [['--pkcs11', file, '--key-id', 'xyz'], '--key-id: expected hex digits'],
    [['--pkcs11', file, '--token-label', 'x'.repeat(33)], '--token-label: '],
    [
      ['--pkcs11', `pkcs11:token=a?module-path=${file}`, '--token-label', 'b'],
      '--token-label: the uri says it',
    ],
  ])('refuses %j', async (args, message) => {
    const { run, edits, loaded } = setUp();
    const refused = run(...args);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow('1234');
    expect([edits, loaded]).toEqual([[], []]);
  });
});
