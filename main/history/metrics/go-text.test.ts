import { expect, test } from 'vitest';
import { goNumber, goText } from './go-text.ts';

// As strconv.FormatFloat(x, 'g', -1, 64) of Go has them.
test.each([
  [0, '0'],
  [600, '600'],
  [604_800, '604800'],
  [999_999.5, '999999.5'],
  [1_000_000, '1e+06'],
  [2_592_000, '2.592e+06'],
  [124_416_000, '1.24416e+08'],
  [1.5e100, '1.5e+100'],
  [-125.25, '-125.25'],
  [0.1 + 0.2, '0.30000000000000004'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
  [Number.POSITIVE_INFINITY, '+Inf'],
  [Number.NEGATIVE_INFINITY, '-Inf'],
  [Number.NaN, 'NaN'],
])('%d is %s', (value, text) => {
  expect(goNumber(value)).toBe(text);
});

test('families and labels go by their names, series by their values, what is empty is left out', () => {
  const help = 'a\nb\\';
  expect(
    goText([
      { name: 'b', help, type: 'counter', values: [] },
      {
        name: 'c',
        help,
        type: 'counter',
        values: [
          { value: 1, labels: { z: '2', a: 'y' } },
          { value: 2, labels: { z: '-1', a: 'y' } },
          { value: 3, labels: { z: '"\\\n', a: 'x' } },
        ],
      },
      {
        name: 'a',
        help,
        type: 'histogram',
        values: [{ metricName: 'a_bucket', value: 0, labels: { le: 1e6, zone: 'x' } }],
      },
    ]),
  ).toBe(
    [
      '# HELP a a\\nb\\\\',
      '# TYPE a histogram',
      'a_bucket{zone="x",le="1e+06"} 0',
      '# HELP c a\\nb\\\\',
      '# TYPE c counter',
      'c{a="x",z="\\"\\\\\\n"} 3',
      'c{a="y",z="-1"} 2',
      'c{a="y",z="2"} 1',
      '',
    ].join('\n'),
  );
});
