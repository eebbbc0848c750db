import type { z } from 'zod';

/** What a field that must not be empty wants. */
const wanted: Readonly<Record<string, string>> = {
  name: 'Enter a name',
  server: 'Enter the server’s address',
  account: 'Choose an account',
  cluster: 'Choose a cluster',
  issuer: 'Enter the issuer’s address',
  clientId: 'Enter the client ID',
  command: 'Enter the command',
  helper: 'Enter the helper’s name',
  module: 'Enter the path of the module',
  namespace: 'Enter the namespace',
  region: 'Enter the region',
  file: 'Enter the path of a file',
};

/** The validator’s own words, in which no user would say it. */
const validatorWords = /^(Invalid|Too (small|big)|Unrecognized)/;

/** What a field without a value lacks. */
export function emptyFault(field: string): string {
  return wanted[field] ?? 'Fill in this field';
}

/** What is wrong with a field’s value, in the words of a form. `field`: its key in config.yaml. */
export function fieldFault(issue: z.core.$ZodIssue, field: string): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'number' || issue.expected === 'int') {
        return 'Enter a whole number';
      }
      return emptyFault(field);
    case 'too_small':
      return issue.origin === 'number' || issue.origin === 'int'
        ? `The least is ${issue.minimum}`
        : emptyFault(field);
    case 'too_big':
      return issue.origin === 'number' || issue.origin === 'int'
        ? `The most is ${issue.maximum}`
        : `Too long: at most ${issue.maximum} ${issue.origin === 'string' ? 'characters' : 'entries'}`;
    case 'invalid_value':
      return `Choose one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_union': {
      const [first] = issue.errors.flat();
      return first ? fieldFault(first, field) : 'This value can’t be used here';
    }
    default:
      return validatorWords.test(issue.message) ? 'This value can’t be used here' : issue.message;
  }
}
