/**
 * Starts Lanyard, with or without a display, whatever the home is. Every text that tells how to start it names this one:
 * the page, doctor, and the helper (reach.rs).
 */
export const startCommand = 'lanyard agent';
