import { expect, it } from 'vitest';
import { codeForEars, countdownText, failureMeaning } from './login-text.ts';

it.each([
  [600_000, '10:00'],
  [581_200, '9:42'],
  [9_000, '0:09'],
  [1, '0:01'],
  [0, '0:00'],
  [-5_000, '0:00'],
])('%i ms are %s', (milliseconds, text) => {
  expect(countdownText(milliseconds)).toBe(text);
});

it('reads a code letter by letter', () => {
  expect(codeForEars('WD-4')).toBe('W D - 4');
});

it('says what a failure means where the failure doesn’t', () => {
  expect(failureMeaning({ code: 'ui.gone', reason: 'unreachable' })).toMatch(/was interrupted/);
  expect(failureMeaning({ code: 'oidc.subject.other', reason: 'denied' })).toMatch(
    /logged in as someone else/,
  );
  expect(failureMeaning({ code: 'oidc.denied', reason: 'denied' })).toBeNull();
});
