import { expect, test } from 'vitest';
import shipped from '../contract/config/config.schema.json' with { type: 'json' };
import { configJsonSchemaText } from './json-schema.ts';

test('the JSON Schema that ships is made from the present schemas; if not: npm run generate', () => {
  expect(shipped).toEqual(JSON.parse(configJsonSchemaText()));
});

test('it knows the keys, and doesn’t ask for those that have a default', () => {
  const { clusters, accounts } = shipped.properties;
  expect(Object.keys(clusters.additionalProperties.properties)).toContain('withoutInfo');
  expect(clusters.additionalProperties.required).toEqual(['server', 'account']);
  expect(accounts.additionalProperties.anyOf).toHaveLength(14);
  expect(shipped.required).toEqual(['version']);
});
