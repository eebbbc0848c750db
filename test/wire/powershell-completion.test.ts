import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const script = readFileSync(
  new URL('../../native-helper/helper/src/completion/lanyard.ps1', import.meta.url),
  'utf8',
);

/** What the script has PowerShell type for a name; its two patterns are read alike here. */
function typed(name: string): string {
  const [, wants = ''] = /\$text -match "([^\n]*)"\) \{/.exec(script) ?? [];
  const [, doubled = ''] = /\$text -replace "([^"]*)", '\$&\$&'/.exec(script) ?? [];
  const unescaped = wants.replace(/`(.)/g, '$1');
  return new RegExp(unescaped).test(name) ? `'${name.replace(new RegExp(doubled, 'g'), '$&$&')}'` : name;
}

/** The text that PowerShell reads one single-quoted word as; null: it ends before its end (about_Quoting_Rules). */
function read(word: string): string | null {
  const quotes = "['\u2018\u2019\u201a\u201b]";
  const match = new RegExp(`^${quotes}((?:[^'\u2018-\u201b]|(${quotes})\\2)*)${quotes}$`).exec(word);
  return match?.[1]?.replace(new RegExp(`(${quotes})\\1`, 'g'), '$1') ?? null;
}

describe('a name that PowerShell completes', () => {
  test.each([
    'my context',
    "a'; calc; '",
    'x\u2019; calc; \u2018',
    '\u201a\u201b',
    'x\u201d$(calc)',
    'a`b',
    '$(calc)',
    'a|b',
    '\u201cx',
  ])('is one word, whatever is in it: %s', (name) => {
    expect(read(typed(name))).toBe(name);
  });

  test('stays as it is where nothing in it needs quotes', () => {
    expect(typed('eu/prod-1')).toBe('eu/prod-1');
  });
});
