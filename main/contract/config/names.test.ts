import { expect, test } from 'vitest';
import { displayName } from './names.ts';

test.for([
  '\u3164',
  '\u2800',
  '\uffa0',
  '\u115f',
  '\u034f',
  'prod\u3164',
  'prod\u2800',
  '\u200d',
  '\u200c\u200d',
])('no display name: %j, in which something can’t be seen', (name) => {
  expect(displayName.safeParse(name).success).toBe(false);
});

test.for(['عنقود-الإنتاج', 'می\u200cخواهم', 'क्\u200dष', '生产', 'prod 1', '★'])(
  'a display name: %s',
  (name) => {
    expect(displayName.safeParse(name).success).toBe(true);
  },
);
