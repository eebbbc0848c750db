import { describe, expect, it } from 'vitest';
import { describeAudit, readAudit } from './audit.ts';
import { rowLines, wrap } from './screen.ts';
import { median } from './steps/step.ts';

describe('the demo’s table', () => {
  it('breaks at spaces, and a word that is too long anywhere', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrap('a https://127.0.0.1:1 b', 10)).toEqual(['a', 'https://12', '7.0.0.1:1', 'b']);
    expect(wrap('', 5)).toEqual(['']);
  });

  it('keeps columns aligned and within 80', () => {
    const text = 'word '.repeat(30).trim();
    const lines = rowLines({ mark: '✓', what: text, did: text, right: '123456' });
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.every((line) => line.length <= 80)).toBe(true);
    expect(lines[0]).toMatch(/^✓ {2}word .*123456$/);
    expect(lines[1]).toMatch(/^ {3}word/);
  });
});

describe('what the broker did', () => {
  it('is counted from the audit lines alone', () => {
    const line = (outcome: string, reason: string) =>
      `{"kind":"call","outcome":"${outcome}","reason":"${reason}"}`;
    const log = [
      '{"kind":"login","outcome":"done"}',
      line('handedOut', 'held'),
      line('handedOut', 'held'),
      line('refused', 'x.y'),
      '',
    ];
    expect(describeAudit(readAudit(log.join('\n')))).toBe('2 issued (cached), 1 denied (x.y)');
  });

  it('takes the median of odd and even counts', () => {
    expect([median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([2, 2.5]);
  });
});
