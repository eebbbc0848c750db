import { describe, expect, it } from 'vitest';
import { refusalAt } from './headless.ts';

describe('lanyard agent of an app in a place that passes', () => {
  it.each(['temporary', 'diskImage'] as const)('is refused with what helps: %s', (place) => {
    expect(refusalAt(place)).toMatchObject({
      reason: 'usage',
      message: expect.stringMatching(/^(macOS runs Lanyard from a temporary place|Lanyard runs from a disk)/),
      hint: expect.stringContaining('Applications'),
    });
  });

  it('isn’t where it stays', () => {
    expect(refusalAt(null)).toBeNull();
  });
});
