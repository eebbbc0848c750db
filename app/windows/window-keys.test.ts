import { describe, expect, it } from 'vitest';
import { type WindowKey, windowKeyOf } from './window-keys.ts';

const released = { type: 'keyDown', control: false, meta: false, alt: false, shift: false };
const control = { ...released, control: true };
const command = { ...released, meta: true };

const rows: readonly [string, NodeJS.Platform, object, WindowKey | null][] = [
  ['w', 'linux', control, 'close'],
  ['W', 'win32', control, 'close'],
  ['w', 'darwin', command, 'close'],
  ['w', 'darwin', control, null],
  ['w', 'linux', command, null],
  ['w', 'linux', released, null],
  ['w', 'linux', { ...control, type: 'keyUp' }, null],
  ['w', 'linux', { ...control, alt: true }, null],
  ['w', 'linux', { ...control, shift: true }, null],
  ['+', 'linux', { ...control, shift: true }, 'zoomIn'],
  ['=', 'linux', control, 'zoomIn'],
  ['-', 'linux', control, 'zoomOut'],
  ['0', 'linux', control, 'zoomReset'],
  ['k', 'linux', control, null],
  ['constructor', 'linux', control, null],
];

describe('the window’s keys', () => {
  it.each(rows)('%s on %s with %j: %s', (key, platform, held, does) => {
    const input = { ...released, ...held, key };
    expect(windowKeyOf(input, { platform, isPackaged: true })).toBe(does);
  });

  it('reload the page only in builds for developers', () => {
    const input = { ...control, key: 'r' };
    expect(windowKeyOf(input, { platform: 'linux', isPackaged: true })).toBe(null);
    expect(windowKeyOf(input, { platform: 'linux', isPackaged: false })).toBe('reload');
  });
});
