import { expect, test } from 'vitest';
import paths from '../../../test/wire/tables/joined-paths.json' with { type: 'json' };
import { joinedPathFault } from './joined-path.ts';

// (rule: own-cluster)
test('no reader takes a joined path for another one', () => {
  expect(paths.joined.filter((path) => joinedPathFault(path) !== null)).toEqual([]);
  expect(paths.refused.filter((path) => joinedPathFault(path) === null)).toEqual([]);
});
