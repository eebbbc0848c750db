/** The name of a test that runs on Windows alone. Elsewhere it says why it is skipped, also in the report of `npm run try`. */
export function ofWindows(name: string, why: string): string {
  return process.platform === 'win32' ? name : `${name} (skipped, since ${why})`;
}
