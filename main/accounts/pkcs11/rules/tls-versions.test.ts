import { expect, test } from 'vitest';
import { tlsVersions } from './tls-versions.ts';

// RFC 8446, section 4.2.3.
test.each<[what: string, schemes: number[], versions: string[]]>([
  ['nothing', [], []],
  ['PKCS#1 alone', [0x0401, 0x0501, 0x0601], ['1.2']],
  ['PSS, too', [0x0804, 0x0401], ['1.2', '1.3']],
  ['P-256', [0x0403], ['1.2', '1.3']],
  ['P-384', [0x0503], ['1.2', '1.3']],
])('a key that signs by %s', (_, schemes, versions) => {
  expect(tlsVersions(schemes)).toEqual(versions);
});
