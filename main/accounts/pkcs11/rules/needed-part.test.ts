import { describe, expect, test } from 'vitest';
import { neededPart } from './needed-part.ts';

const pcscd = ['/run/pcscd/pcscd.comm'];
const lib = '/usr/lib/x86_64-linux-gnu';

describe('what a module needs of the system', () => {
  test.each<[module: string, variables: Record<string, string>, anyOf: string[] | null]>([
    [`${lib}/opensc-pkcs11.so`, {}, pcscd],
    [`${lib}/pkcs11/onepin-opensc-pkcs11.so`, {}, pcscd],
    [`${lib}/libykcs11.so.2`, {}, pcscd],
    [`${lib}/opensc-pkcs11.so`, { PCSCLITE_CSOCK_NAME: '/p' }, ['/p']],
    [`${lib}/pkcs11/libtpm2_pkcs11.so`, { HOME: '/home/u' }, ['/home/u/.tpm2_pkcs11', '/etc/tpm2_pkcs11']],
    [`${lib}/libtpm2_pkcs11.so.1`, { HOME: '/home/u', TPM2_PKCS11_STORE: '/s' }, ['/s']],
    [`${lib}/softhsm/libsofthsm2.so`, {}, null],
    ['/opensc-pkcs11.so/other.so', {}, null],
  ])('%s with %j', (module, variables, anyOf) => {
    expect(neededPart(module, variables)?.anyOf ?? null).toEqual(anyOf);
  });

  test('is named where it is missing, with what the user does', () => {
    expect(neededPart('libykcs11.so', {})).toMatchObject({
      missing: 'pcscd isn’t running, through which smart cards are reached',
      hint: expect.stringContaining('systemctl enable --now pcscd.socket'),
    });
    expect(neededPart('libtpm2_pkcs11.so', { TPM2_PKCS11_STORE: '/s' })).toMatchObject({
      missing: 'tpm2-pkcs11 has no store at /s',
      hint: expect.stringContaining('tpm2_ptool init'),
    });
  });
});
