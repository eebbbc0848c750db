import { expect, it } from 'vitest';
import { callerText, whoWaits } from './wanted-words.ts';

it.each([
  [['kubectl', 'zsh', 'code'], 'kubectl (from code)'],
  [['kubectl', 'zsh', 'gnome-terminal-', 'systemd'], 'kubectl (from gnome-terminal-)'],
  [['kubectl', 'systemd'], 'kubectl'],
  [['kubectl'], 'kubectl'],
  [['k9s', 'k9s'], 'k9s'],
  [[], 'a program'],
])('%j is %s', (lineage, text) => {
  expect(callerText(lineage)).toBe(text);
});

it('says who waits, and how many', () => {
  expect(whoWaits({ callers: [['kubectl', 'code']], waiting: 1 })).toBe('kubectl (from code) waits');
  expect(whoWaits({ callers: [['kubectl', 'code'], ['helm']], waiting: 4 })).toBe(
    'kubectl (from code) and 3 more wait',
  );
  expect(whoWaits({ callers: [], waiting: 1 })).toBe('a program waits');
});
