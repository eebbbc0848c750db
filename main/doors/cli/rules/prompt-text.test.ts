import { describe, expect, test } from 'vitest';
import { BrokerError } from '../../../contract/broker-error.ts';
import { type PromptValues, parsePromptText, promptFields, promptText } from './prompt-text.ts';

const empty: PromptValues = {
  context: '',
  namespace: '',
  cluster: '',
  account: '',
  as: '',
  state: '',
  left: '',
  vault: '',
};

const shown = (template: string, values: Partial<PromptValues> = {}) =>
  promptText(parsePromptText(template), { ...empty, ...values });

test.each([
  ['', {}, ''],
  ['plain', {}, 'plain'],
  ['{context} {state} {left}', { context: 'prod', state: 'ready', left: '42 min' }, 'prod ready 42 min'],
  ['{context} {state}', {}, ' '],
  ['[{left? in {left}}]', { left: '5 s' }, '[ in 5 s]'],
  ['[{left? in {left}}]', {}, '[]'],
  ['{cluster?{account?{account}@}{cluster}}', { cluster: 'c', account: 'a' }, 'a@c'],
  ['{cluster?{account?{account}@}{cluster}}', { cluster: 'c' }, 'c'],
  ['{cluster?}', { cluster: 'c' }, ''],
  ['{{context} }', { context: 'c' }, '{context} }'],
  ['\u001b[31m{state}\u001b[0m', { state: 'held' }, '\u001b[31mheld\u001b[0m'],
  ['{context}', { context: 'a?{b}' }, 'a?{b}'],
] as [string, Partial<PromptValues>, string][])('%j with %j is %j', (template, values, text) => {
  expect(shown(template, values)).toBe(text);
});

test('each field has its own value', () => {
  const values = Object.fromEntries(promptFields.map((each) => [each, `<${each}>`])) as PromptValues;
  expect(shown(promptFields.map((each) => `{${each}}`).join(''), values)).toBe(
    promptFields.map((each) => `<${each}>`).join(''),
  );
});

test('a value runs nothing where a shell expands the prompt once more; the template stays as it is', () => {
  const context = 'a$(touch /tmp/x)`id`$HOME\\$b';
  expect(shown('$ {context} `', { context })).toBe('$ a?(touch /tmp/x)?id??HOME??b `');
});

test('a value can’t send anything to the terminal', () => {
  expect(shown('{context}', { context: 'a\u001b]0;x\u0007\u202eb\n' })).not.toMatch(/\p{C}/u);
});

describe('a template with a fault is wrong usage', () => {
  test.each([
    ['{contxt}', /no \{contxt\} \(did you mean context\?\); it knows \{context\} .*\{vault\}/],
    ['{constructor}', /no \{constructor\}/],
    ['{}', /no \{\}/],
    ['{nonsense? x}', /no \{nonsense\}/],
    ['{context', /missing/],
    ['{left? in {left}', /missing/],
    ['{'.repeat(3) + 'x'.repeat(5000), /too long/],
  ])('%j', (template, message) => {
    let thrown: unknown;
    try {
      parsePromptText(template);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(BrokerError);
    expect(thrown).toMatchObject({ reason: 'usage', message: expect.stringMatching(message) });
  });

  test('a deep one ends, too', () => {
    const deep = '{left?'.repeat(500);
    expect(() => parsePromptText(deep)).toThrow(/missing/);
    expect(shown(`${deep}x${'}'.repeat(500)}`, { left: 'l' })).toBe('x');
  });
});
