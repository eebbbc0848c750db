/** The end of a title that says why its tests are left out; empty where they run. */
export const skipped = (why: string | null): string => (why === null ? '' : ` (skipped: ${why})`);
