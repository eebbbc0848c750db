import { expect, test } from 'vitest';
import paths from '../../../test/wire/tables/joined-paths.json' with { type: 'json' };
import { joinedPathFault } from './joined-path.ts';

// (rule: own-cluster)
test('no reader takes a joined path for another one', () => {
  expect(paths.joined.filter((path) => joinedPathFault(path) !== null)).toEqual([]);
  expect(paths.refused.filter((path) => joinedPathFault(path) === null)).toEqual([]);
});

test.each([
  ['api', 'the path has to begin with a slash'],
  ['/api\\v1', 'a backslash in the path'],
  ['/api/%2e./v1', 'dot segments in the path, plain or escaped'],
])('what keeps %s from being joined is said', (path, fault) => {
  expect(joinedPathFault(path)).toBe(fault);
});
