import type { z } from 'zod';
import { notYetValues } from './not-yet.ts';

const expectedWords: Readonly<Record<string, string>> = {
  object: 'a mapping of keys',
  record: 'a mapping of names',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  number: 'a number',
};

/** What is wrong and what was expected. Never repeats the value: somebody may have pasted a secret there. */
export function issueText(issue: z.core.$ZodIssue, value: unknown): string {
  const key = String(issue.path.at(-1) ?? '');
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
      if (typeof value === 'string' && notYetValues[key]?.test(value)) {
        return `this version doesn’t do this value yet; expected ${oneOf(issue.values)}`;
      }
      return value === undefined
        ? `is missing; expected ${oneOf(issue.values)}`
        : `expected ${oneOf(issue.values)}`;
    }
    case 'too_small':
      return 'must not be empty';
    case 'too_big':
      return `is too long; expected ${issue.maximum} characters at most`;
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
