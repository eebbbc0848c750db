import { expect, it } from 'vitest';
import { readTokenUri } from './pkcs11-uri.ts';

// RFC 7512, section 2.3 (attributes), 2.4 (query), 3 (examples).
it.each([
  ['pkcs11:', {}, null],
  ['pkcs11:token=The%20Software%20PKCS%2311%20Softtoken', { token: 'The Software PKCS#11 Softtoken' }, null],
  [
    'pkcs11:token=Software%20PKCS%2311%20softtoken;manufacturer=Snake%20Oil,%20Inc.?module-path=/usr/lib/p.so',
    { token: 'Software PKCS#11 softtoken', manufacturer: 'Snake Oil, Inc.' },
    '/usr/lib/p.so',
  ],
  ['pkcs11:slot-id=327;type=private', { slot: 327 }, null],
  ['pkcs11:object=my-key;id=%69%95%3E%5C%F4%BD%EC%91', { label: 'my-key', id: '69953e5cf4bdec91' }, null],
  ['pkcs11:id=abc', { id: '616263' }, null],
  ['PKCS11:model=m;serial=DECC0401648;library-version=3', { model: 'm', serial: 'DECC0401648' }, null],
  ['pkcs11:token=%C3%A9t%C3%A9', { token: 'été' }, null],
])('reads %s', (text, select, module) => {
  expect(readTokenUri(text)).toEqual({ ok: true, select, module });
});

it.each([
  ['token=work', 'expected a URI'],
  ['pkcs11:object=a;object=b', '"object" stands twice'],
  ['pkcs11:object=a?pin-value=1234', 'leave pin-value out: Lanyard asks for the PIN'],
  ['pkcs11:object=a?pin-source=file:/etc/pin', 'leave pin-source out'],
  ['pkcs11:object=a?module-name=opensc', 'name the module by its path'],
  ['pkcs11:object=100%', '"object" has no value that can be read'],
  ['pkcs11:object', '"object" has no value that can be read'],
  ['pkcs11:object=a b', '"object" has no value that can be read'],
  ['pkcs11:slot-id=x', 'slot-id is a number'],
  ['pkcs11:x-vendor=1', '"x-vendor" is no attribute that Lanyard knows'],
  ['pkcs11:constructor=1', '"constructor" is no attribute that Lanyard knows'],
  ['pkcs11:object=a?object=b', '"object" stands twice'],
  ['pkcs11:?object=b', '"object" is no attribute that Lanyard knows'],
  ['pkcs11:object=a?b=1?c=2', 'it has more than one'],
])('refuses %s', (text, why) => {
  expect(readTokenUri(text)).toMatchObject({ ok: false, fault: expect.stringContaining(why) });
});
