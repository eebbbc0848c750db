import { describe, expect, test } from 'vitest';
import type { TokenSelect } from '../../contract/config/accounts/pkcs11-uri.ts';
import { isKeySelected, isTokenSelected, type StatedSelection, selectionOf } from './selection.ts';
import { aKey, aSlot } from './testing/a-slot.ts';

test.each<[StatedSelection, TokenSelect]>([
  [{}, {}],
  [
    { token: 'card', slot: 0, id: 'AB' },
    { token: 'card', slot: 0, id: 'AB' },
  ],
  [
    { serial: '17', label: 'me' },
    { serial: '17', label: 'me' },
  ],
  [
    { uri: 'pkcs11:token=my%20card;model=One;id=%ab;slot-id=3' },
    { token: 'my card', model: 'One', id: 'ab', slot: 3 },
  ],
])('%j means %j', (stated, select) => {
  expect(selectionOf(stated)).toEqual(select);
});

describe('a token is meant', () => {
  test.each<[TokenSelect, boolean]>([
    [{}, true],
    [{ token: 'card', serial: '17', manufacturer: 'Maker', model: 'One', slot: 0 }, true],
    [{ label: 'another key' }, true],
    [{ token: 'Card' }, false],
    [{ serial: '18' }, false],
    [{ manufacturer: 'Other' }, false],
    [{ model: 'Two' }, false],
    [{ slot: 1 }, false],
  ])('by %j: %s', (select, is) => {
    expect(isTokenSelected(select, aSlot())).toBe(is);
  });

  test('where it is initialized', () => {
    expect(isTokenSelected({}, aSlot({ flags: { initialized: false } }))).toBe(false);
  });
});

describe('a key is meant', () => {
  const { token } = aSlot({ certificates: [{ label: 'mine', id: '01', pem: '' }] });
  test.each<[TokenSelect, boolean]>([
    [{}, true],
    [{ label: 'me', id: '01' }, true],
    // An RFC 7512 URI may name the certificate.
    [{ label: 'mine' }, true],
    [{ label: 'other' }, false],
    [{ label: 'me', id: '02' }, false],
  ])('by %j: %s', (select, is) => {
    expect(isKeySelected(select, aKey(), token)).toBe(is);
  });

  test('by an id in whatever letters', () => {
    expect(isKeySelected({ id: 'AB' }, aKey({ id: 'ab' }), token)).toBe(true);
  });
});
