import { expect, test } from 'vitest';
import type { AccountKind } from '../../../main/contract/config/accounts/account.ts';
import { accountKinds } from '../../../main/contract/config/accounts/account.ts';
import { cluster } from '../../../main/contract/config/cluster.ts';
import { inventory } from '../../../main/contract/config/inventory.ts';
import { configName } from '../../../main/contract/config/names.ts';
import { registry } from '../../../main/contract/config/registry.ts';
import { pageProblems } from '../accounts/page-check.ts';
import { schemaFaults } from './entry-rules.ts';
import { fieldFault } from './field-fault.ts';

const validatorTexts = /Too small|Too big|Invalid|Unrecognized|undefined|received|>=|<=/;

/** What a field can wrongly have: nothing, another type, too much, what no format takes. */
const wrong = [undefined, '', 5, -1, {}, [], [''], true, 'x'.repeat(10_000), '\u0000', 'https://', { a: {} }];

test.each(Object.entries({ cluster, registry, inventory }))(
  'no field of a %s shows the validator’s words',
  (_, schema) => {
    let count = 0;
    const keys = Object.keys(schema.shape);
    for (const key of keys) {
      for (const value of wrong) {
        for (const fault of Object.values(schemaFaults(schema, { [key]: value }))) {
          expect(fault, `${key}: ${JSON.stringify(value)?.slice(0, 60)}`).not.toMatch(validatorTexts);
          count += 1;
        }
      }
    }
    expect(count).toBeGreaterThan(keys.length);
  },
);

test.each(Object.keys(accountKinds) as AccountKind[])('nor does one of an account: %s', (kind) => {
  const keys = Object.keys(accountKinds[kind].shape);
  const draft = { name: '', isNew: true, kind, unset: [] };
  for (const key of keys) {
    for (const value of wrong) {
      for (const { field, message } of pageProblems({ ...draft, set: { [key]: value } as never })) {
        expect(message, `${field}: ${JSON.stringify(value)?.slice(0, 60)}`).not.toMatch(validatorTexts);
      }
    }
  }
});

test('what is missing is asked for by its name', () => {
  const fault = (value: unknown) => {
    const [issue] = configName.safeParse(value).error?.issues ?? [];
    return issue && fieldFault(issue, 'name');
  };
  expect(fault('')).toBe('Enter a name');
  expect(fault(undefined)).toBe('Enter a name');
  expect(fault('a b')).toBe('expected a letter or digit, then letters, digits and . _ @ : / -');
  expect(fault('a'.repeat(200))).toBe('Too long: at most 128 characters');
  expect(schemaFaults(cluster, {})).toMatchObject({
    server: 'Enter the server’s address',
    account: 'Choose an account',
  });
});
