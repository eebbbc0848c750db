import type { SourceTrouble } from './source-fault.ts';

/**
 * How long after a list without most of the known profiles, in milliseconds, a second one is believed. A hub that is
 * restored, a role that was narrowed or a selector that fits nothing gives such a list, too: it must not take most
 * contexts away at once.
 */
export const emptiedMilliseconds = 300_000;

export const emptiedTrouble: SourceTrouble = {
  code: 'emptied',
  text: 'more than half of the profiles are missing from the list: they stay until a second list confirms it, some minutes later',
};
