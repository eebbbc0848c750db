import { describe, expect, it, test } from 'vitest';
import { parseLabelSelector } from './label-selector.ts';

const labels = new Map([
  ['env', 'prod'],
  ['tier', ''],
  ['size', '12'],
  ['example.com/team', 'a'],
  ['in', 'notin'],
]);

const matches = (text: string) => {
  const parsed = parseLabelSelector(text);
  return parsed.ok ? parsed.matches(labels) : parsed.fault;
};

describe('a label selector', () => {
  test.each<[string, boolean]>([
    ['', true],
    [' \t\n', true],
    ['env', true],
    ['none', false],
    ['!env', false],
    ['! none', true],
    ['env=prod', true],
    ['env==prod', true],
    [' env = prod ', true],
    ['env=dev', false],
    ['none=', false],
    ['env!=prod', false],
    ['env!=dev', true],
    ['none!=dev', true],
    ['tier=', true],
    ['tier=,env', true],
    ['tier!=', false],
    ['env in (dev,prod)', true],
    ['env in(dev)', false],
    ['env notin (dev)', true],
    ['env notin (prod, dev)', false],
    ['none notin (a)', true],
    ['none in (a)', false],
    ['tier in ()', true],
    ['tier in (a,)', true],
    ['tier in (,a)', true],
    ['tier in (a,,b)', true],
    ['tier in (a,b)', false],
    ['size>11', true],
    ['size > 12', false],
    ['size<13', true],
    ['size<12', false],
    ['env>1', false],
    ['none<1', false],
    ['size<9223372036854775807', true],
    ['example.com/team=a,env', true],
    ['env=prod,none', false],
    ['in=notin', true],
    ['in in (in,notin)', true],
    ['in notin (notin)', false],
    ['!in', false],
  ])('%j: %s', (text, expected) => {
    expect(matches(text)).toBe(expected);
  });

  test.each([
    [',', 'has , where a label’s key is expected'],
    ['a,', 'has an end where a label’s key is expected'],
    ['a,,b', 'has , where a label’s key is expected'],
    ['a b', 'has b where =, ==, !=, in, notin, > or < is expected'],
    ['a=b c', 'has c where , is expected'],
    ['a=!b', 'has ! where a value is expected'],
    ['a>=1', 'has = where a value is expected'],
    ['!a=b', 'has = where , is expected'],
    ['!!a', 'has ! where a label’s key is expected'],
    ['!', 'has an end where a label’s key is expected'],
    ['=b', 'has = where a label’s key is expected'],
    ['a in', 'has an end where ( is expected'],
    ['a in b', 'has b where ( is expected'],
    ['a in (b', 'has an end where , is expected'],
    ['a in (b c)', 'has c where , is expected'],
    ['a in (b) c', 'has c where , is expected'],
    ['a in (!b)', 'has ! where a value is expected'],
    ['(a)', 'has ( where a label’s key is expected'],
    ['a/b/c', 'has a/b/c, which is no label’s key'],
    ['-a', 'has -a, which is no label’s key'],
    ['a=-b', 'has -b, which is no label’s value'],
    ['a=b/c', 'has b/c, which is no label’s value'],
    [`a=${'x'.repeat(64)}`, `has ${'x'.repeat(64)}, which is no label’s value`],
    ['a>', 'compares with "", which is no integer'],
    ['a>b', 'compares with b, which is no integer'],
    ['a>9223372036854775808', 'compares with 9223372036854775808, which is no integer'],
    ['a\u00a0', 'has "a\u00a0", which is no label’s key'],
  ])('%j %s', (text, fault) => {
    expect(matches(text)).toBe(fault);
  });

  it('a fault has no control characters', () => {
    expect(matches('a\u001b[2J')).toBe('has "a\\u{1b}[2J", which is no label’s key');
  });
});
