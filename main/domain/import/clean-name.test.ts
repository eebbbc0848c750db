import { describe, expect, test } from 'vitest';
import { configName } from '../../contract/config/names.ts';
import { cleanName, FreeNames, lostName } from './clean-name.ts';

describe('names', () => {
  test.each([
    ['prod', 'prod'],
    ['arn:aws:eks:eu-west-1:1:cluster/prod', 'arn:aws:eks:eu-west-1:1:cluster/prod'],
    ['kubernetes-admin@kubernetes', 'kubernetes-admin@kubernetes'],
    ['gke_proj_zone_prod', 'gke_proj_zone_prod'],
    ['my prod cluster', 'my-prod-cluster'],
    ['  prod  ', 'prod'],
    ['Büro Köln', 'Buro-Koln'],
    ['Bu\u0308ro', 'Buro'],
    ['Straße', 'Strasse'],
    ['Ærøskøbing', 'Aeroskobing'],
    ['Łódź', 'Lodz'],
    ['Москва', 'Moskva'],
    ['Нижний', 'Nizhnii'],
    ['Αθήνα', 'Athina'],
    ['ｐｒｏｄ', 'prod'],
    ['生产', 'cluster'],
    ['prod 生产', 'prod'],
    ['🚀 launch', 'launch'],
    ['a\nb', 'a-b'],
    ['../../etc', 'etc'],
    ['-x', 'x'],
    ['a"b\'c', 'a-b-c'],
    ['', 'cluster'],
    ['constructor', 'constructor'],
    ['__proto__', 'proto__'],
    ['x'.repeat(200), 'x'.repeat(120)],
  ])('%j becomes %s', (name, expected) => {
    expect(cleanName(name, 'cluster')).toBe(expected);
    expect(configName.safeParse(expected).success).toBe(true);
  });

  test('collisions get -2, -3, past what is taken', () => {
    const names = new FreeNames((name) => name === 'a' || name === 'a-3');
    expect([names.take('b'), names.take('a'), names.take('a'), names.take('b'), names.take('a')]).toEqual([
      'b',
      'a-2',
      'a-4',
      'b-2',
      'a-5',
    ]);
  });
});

test.each([
  ['عنقود-الإنتاج', 'عنقود-الإنتاج'],
  ['прод 🚀', 'прод 🚀'],
  ['生产', '生产'],
  ['\u202eпрод\nдва\u200b', 'прод два'],
  // Nothing is lost of these but signs between letters.
  ['prod (eu)', undefined],
  ['"new\nline"', undefined],
  ['prod', undefined],
])('%s keeps %s as its display name', (name, kept) => {
  expect(lostName(name)).toBe(kept);
});
