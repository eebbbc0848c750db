import { expect, it } from 'vitest';
import { cutName } from './cut-name.ts';

it.each([
  ['payments-production-eu-west-1', 'payments-production', '-eu-west-1'],
  ['https://10.0.0.1:6443/clusters/a', 'https://10.0.0.1:6443', '/clusters/a'],
  ['averyveryverylongnamewithoutany', 'averyveryverylongname', 'withoutany'],
  // The cut is not between e and its accent.
  ['cluster-de-la-re\u0301gion-du-nord', 'cluster-de-la-re\u0301gion', '-du-nord'],
  ['abcdefghijklmnope\u0301qrstuvwxy', 'abcdefghijklmnop', 'e\u0301qrstuvwxy'],
  ['prod-eu', 'prod-eu', ''],
  ['مجموعة-الإنتاج-الرئيسية-الأولى', 'مجموعة-الإنتاج-الرئيسية-الأولى', ''],
])('a name that may be cut: %s', (text, head, tail) => {
  expect(cutName(text)).toEqual([head, tail]);
});
