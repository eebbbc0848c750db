import type { TestHome } from '../../support/home.ts';

/** The address that `lanyard ui --no-open` prints: good once. */
export async function pageAddress(home: TestHome): Promise<string> {
  const { code, stdout, stderr } = await home.lanyard(['ui', '--no-open']);
  if (code !== 0) {
    throw new Error(`no page: ${stderr}`);
  }
  return stdout.trim();
}
