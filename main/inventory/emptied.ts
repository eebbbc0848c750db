/**
 * How long after an empty list, in milliseconds, a second one is believed. A hub that is restored, a role that was
 * narrowed or a selector that fits nothing gives an empty list, too: it must not take all contexts away at once.
 */
export const emptiedMilliseconds = 300_000;
