import { parseArgs } from 'node:util';

export interface DemoOptions {
  /** The person at the screen logs in, in a browser. */
  browser: boolean;
  /** Everything stays running at the end, until Ctrl-C. */
  keep: boolean;
}

/** Reads the words after `scripts/demo`, which has already refused unknown ones. Throws for those. */
export function parseOptions(args: readonly string[]): DemoOptions {
  const { values } = parseArgs({
    args: [...args],
    options: { browser: { type: 'boolean' }, keep: { type: 'boolean' } },
    strict: true,
  });
  return { browser: values.browser ?? false, keep: values.keep ?? false };
}
