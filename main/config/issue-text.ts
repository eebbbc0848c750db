import type { z } from 'zod';

const expectedWords: Readonly<Record<string, string>> = {
  object: 'a mapping of keys',
  record: 'a mapping of names',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  number: 'a number',
};

/** Tells what is wrong and what was expected. Never repeats the value: it may be a pasted secret. */
export function issueText(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type': {
      const expected = expectedWords[issue.expected] ?? issue.expected;
      if (value === undefined) {
        return `is missing; expected ${expected}`;
      }
      const quotes = issue.expected === 'string' && typeof value !== 'object' ? ', in quotes' : '';
      return `expected ${expected}${quotes}, not ${kindOf(value)}`;
    }
    case 'invalid_value': {
      return value === undefined
        ? `is missing; expected ${oneOf(issue.values)}`
        : `expected ${oneOf(issue.values)}`;
    }
    case 'too_small':
      return issue.origin === 'int' || issue.origin === 'number'
        ? `is too small; expected ${issue.minimum} at least`
        : 'must not be empty';
    case 'too_big':
      return issue.origin === 'int' || issue.origin === 'number'
        ? `is too large; expected ${issue.maximum} at most`
        : `is too long; expected ${issue.maximum} ${issue.origin === 'array' ? 'entries' : 'characters'} at most`;
    default:
      return issue.message.replace(/^Invalid/, 'expected a valid value: invalid');
  }
}

function oneOf(values: readonly unknown[]): string {
  return values.map(String).join(' or ');
}

function kindOf(value: unknown): string {
  if (value === null) {
    return 'nothing';
  }
  if (Array.isArray(value)) {
    return 'a list';
  }
  const words: Record<string, string> = { object: 'a mapping', string: 'text', boolean: 'true or false' };
  return words[typeof value] ?? `a ${typeof value}`;
}
