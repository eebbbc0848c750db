/**
 * How long after a list without most of the known profiles, in milliseconds, a second one is believed. A hub that is
 * restored, a role that was narrowed or a selector that fits nothing gives such a list, too: it must not take most
 * contexts away at once.
 */
export const emptiedMilliseconds = 300_000;
