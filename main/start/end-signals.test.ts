import { expect, test } from 'vitest';
import { endSignals } from './end-signals.ts';

test('a Ctrl-Break ends a broker on Windows in order, and Linux knows no such signal', () => {
  expect(endSignals('win32')).toContain('SIGBREAK');
  expect(endSignals('linux')).toEqual(['SIGTERM', 'SIGINT', 'SIGHUP']);
});
