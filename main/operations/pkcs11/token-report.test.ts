import { beforeAll, describe, expect, test } from 'vitest';
import { createCa, issueClientCertificate } from '../../../test/support/certificates.ts';
import { aKey, aSlot } from '../../accounts/pkcs11/testing/a-slot.ts';
import { selectedBy, selectedText } from './selected.ts';
import { slotReports } from './token-report.ts';

let pem: string;
beforeAll(async () => {
  const ca = await createCa('the town');
  pem = (await issueClientCertificate(ca, { commonName: 'carol' })).certificatePem;
});

const card = { name: 'card', token: 'card' };
const tokenOf = (...of: Parameters<typeof slotReports>) => slotReports(...of)[0]?.token;

describe('a report of a token', () => {
  test('has each key with its certificate, and who means it', () => {
    const certificates = [{ label: 'mine', id: '01', pem }];
    const keys = [aKey({ id: '02', label: 'bare', certificate: null }), aKey()];
    const certificate = {
      label: 'mine',
      id: '01',
      subject: 'carol',
      issuer: 'CN=the town',
      expiresAt: expect.any(Number),
    };
    expect(tokenOf([aSlot({ certificates, keys })], [card, { name: 'other', token: 'x' }])).toMatchObject({
      label: 'card',
      serial: '17',
      accounts: ['card'],
      certificates: [certificate],
      keys: [
        { label: 'me', id: '01', kind: 'P-256', certificate, tls: ['1.2', '1.3'], problem: null },
        { label: 'bare', id: '02', certificate: null, problem: 'no certificate', accounts: ['card'] },
      ],
    });
  });

  test.each<[what: string, key: Parameters<typeof aKey>[0], problem: string | null, tls: string[]]>([
    ['RSA without PSS', { kind: 'rsa', bits: 2048, curve: null, schemes: [0x0401] }, null, ['1.2']],
    ['RSA', { kind: 'rsa', bits: 2048, curve: null, schemes: [0x0804] }, null, ['1.2', '1.3']],
    ['a short one', { schemes: [], problem: 'the key is short' }, 'the key is short', []],
    ['another’s certificate', { certificate: null }, 'its certificate is of another key', ['1.2', '1.3']],
  ])('%s', (_, fields, problem, tls) => {
    const token = tokenOf([aSlot({ keys: [aKey(fields)] })], []);
    expect(token?.keys[0]).toMatchObject({ problem, tls });
  });

  test.each<[Parameters<typeof aSlot>[0], unknown]>([
    [{}, { pin: 'typed', tries: null }],
    [{ flags: { pinPad: true } }, { pin: 'pad' }],
    [{ flags: { loginRequired: false } }, { pin: 'none' }],
    [{ flags: { triesLow: true } }, { tries: 'low' }],
    [{ flags: { triesLow: true, finalTry: true } }, { tries: 'final' }],
    [{ flags: { triesLow: true, finalTry: true, locked: true } }, { tries: 'locked' }],
  ])('of %j says %j', (fields, said) => {
    expect(tokenOf([aSlot(fields)], [])).toMatchObject(said as object);
  });

  test('takes the certificate of an account’s file for the key that it means', () => {
    const keys = [aKey({ certificate: null }), aKey({ id: '02', label: 'other', certificate: null })];
    const account = { ...card, label: 'me', certificate: '/me.pem' };
    const certificates = [{ label: '', id: '02', pem }];
    const token = tokenOf([aSlot({ keys, certificates })], [account]);
    expect(token?.keys).toMatchObject([
      { certificateFile: '/me.pem', problem: null },
      { certificateFile: null, problem: 'its certificate is of another key' },
    ]);
  });

  test('has no character that steers a terminal', () => {
    const evil = '\u001b[2Jcard\u202e\n';
    const certificates = [{ label: evil, id: evil, pem: 'none' }];
    const keys = [aKey({ label: evil, id: evil, curve: evil, problem: evil })];
    const fields = { label: evil, manufacturer: evil, model: evil, serial: evil, mechanisms: [evil] };
    const slot = aSlot({ ...fields, certificates, keys });
    const text = JSON.stringify(slotReports([{ ...slot, description: evil }], [card]));
    expect(text).toContain('card');
    // JSON itself would escape a control character.
    expect(text).not.toMatch(/\\u001b|\\n|\u202e/);
  });
});

describe('an account means', () => {
  const one = aSlot();
  const other = aSlot({ slot: 1, label: 'other', serial: '18' });
  const stateOf = (slots: Parameters<typeof slotReports>[0], account: object = {}) => {
    const selected = selectedBy('card', slotReports(slots, [{ name: 'card', ...account }]));
    return [selected.state, selectedText(selected)];
  };

  test.each<[what: string, slots: Parameters<typeof slotReports>[0], account: object, state: string]>([
    ['the only key', [one], {}, 'one'],
    ['one of two tokens', [one, other], { token: 'other' }, 'one'],
    ['no token', [], {}, 'noToken'],
    ['one that isn’t there', [one], { token: 'lost' }, 'noToken'],
    ['an empty slot', [{ slot: 0, description: '', token: null }], {}, 'noToken'],
    ['several tokens', [one, other], {}, 'severalTokens'],
    ['several keys', [aSlot({ keys: [aKey(), aKey({ id: '02' })] })], {}, 'severalKeys'],
    ['one of them', [aSlot({ keys: [aKey(), aKey({ id: '02' })] })], { id: '02' }, 'one'],
    ['the one with a certificate', [aSlot({ keys: [aKey(), aKey({ certificate: null })] })], {}, 'one'],
    ['a key without a certificate', [aSlot({ keys: [aKey({ certificate: null })] })], {}, 'noKey'],
    ['another key', [one], { label: 'lost' }, 'noKey'],
    ['a key that shows after a login', [aSlot({ keys: [] })], {}, 'hidden'],
    ['no key', [aSlot({ keys: [], flags: { loginRequired: false } })], {}, 'noKey'],
  ])('%s', (_, slots, account, state) => {
    const [found, text] = stateOf(slots, account);
    expect(found).toBe(state);
    expect(text === null).toBe(state === 'one');
  });
});
