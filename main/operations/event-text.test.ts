import { expect, test } from 'vitest';
import { callEvent, kubectl } from '../history/testing/sample-events.ts';
import { eventJson } from './event-text.ts';

test('a program’s name steers no terminal through --json, and is still the name', () => {
  const executable = '/tmp/a\u009b2J\u202ex\u007f\u2066\u{e0041}\n';
  const text = eventJson({ id: 1, at: 0, event: callEvent({ caller: { ...kubectl, executable } }) });
  expect(text).toMatch(/^[\x20-\x7e]*$/);
  expect(JSON.parse(text).caller.executable).toBe(executable);
});
