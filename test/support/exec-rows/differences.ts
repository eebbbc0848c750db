import type { RowResult } from './bench.ts';

/** Rows that end otherwise through Lanyard, on purpose. */
interface Difference {
  rows: RegExp;
  reason: string;
  /** What kubectl says then; or whom the server sees, who doesn't where kubectl is alone. */
  through: RegExp | { user: string };
}

const differences: readonly Difference[] = [
  {
    rows: /^(an expired answer|prints: the end “(0000|0001-01-01T00:00:00\.5|1970).*)$/,
    reason: 'what has ended is no credential: client-go sends it, and runs the plugin for each request anew',
    through: /lanyard: the credential that the plugin of \S+ gave had already expired/,
  },
  {
    rows: /^more than a mebibyte$/,
    reason: 'a plugin’s answer has a limit here; client-go has none',
    through: /lanyard: exec: executable \S+ wrote more than 1 MiB, and was ended/,
  },
  {
    rows: /^a variable over what tells$/,
    reason:
      'the import leaves a user whose variables say what Lanyard itself says to the plugin; client-go ignores them',
    through: /context "\S+" does not exist/,
  },
  {
    rows: /^(v1 without a mode|no version|a version that isn’t|a mode .*|no command)$/,
    reason: 'kubectl refuses the entry, so the import leaves it and says why',
    through: /context "\S+" does not exist/,
  },
  {
    rows: /^v1alpha1 configured$/,
    reason: 'kubectl takes v1alpha1 no more since 1.24; Lanyard runs the plugin still',
    through: { user: 'abc' },
  },
  {
    rows: /^prints: v1alpha1$/,
    reason: 'a version here still: another than the configured one',
    through:
      /lanyard: exec plugin is configured to use API version \S+\/v1, plugin returned version \S+\/v1alpha1/,
  },
  {
    rows: /^(a slash behind its name|a path through a file)$/,
    reason: 'one word for what isn’t there: client-go passes on the system’s “not a directory”',
    through: /lanyard: exec: fork\/exec \S+: no such file or directory/,
  },
  {
    rows: /^prints: (a token with a line end|the YAML token "\|\\n {4}abc")$/,
    reason: 'spaces and line ends around a token are dropped; client-go can’t send it',
    through: { user: 'abc' },
  },
  {
    rows: /^prints: (a token (over two lines|with a space|beyond ASCII|with half a pair|of a space)|bytes that are no text)$/,
    reason:
      'what no token is, is said to be none; client-go sends it, or fails to, and the server doesn’t know it',
    through: /lanyard: the token that the exec plugin returned (has|is empty)/,
  },
];

/** Why this row may end as it did; null: it may not. */
export function differenceOf(name: string, through: RowResult): string | null {
  const found = differences.find(({ rows }) => rows.test(name));
  const isSo =
    found?.through instanceof RegExp
      ? found.through.test(through.stderr)
      : found?.through.user === through.user && through.code === 0;
  return found && isSo ? found.reason : null;
}

/** The reasons of rows that end alike all the same: the table has grown old. */
export function isExplained(name: string): boolean {
  return differences.some(({ rows }) => rows.test(name));
}
