import type { Provider } from 'oidc-provider';

/**
 * Loads oidc-provider without its line about runtimes that aren't a long-term release: it is written when the
 * module is loaded, and is no news to a test.
 */
export async function loadProvider(): Promise<typeof Provider> {
  const warn = console.warn;
  console.warn = (...values: unknown[]) => {
    if (!String(values[0]).includes('Unsupported runtime')) {
      warn(...values);
    }
  };
  try {
    return (await import('oidc-provider')).Provider;
  } finally {
    console.warn = warn;
  }
}
