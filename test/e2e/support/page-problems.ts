import type { BrowserContext } from 'playwright';

/** What a page complained of: errors in its console, errors that nobody caught, and what its policy refused. */
export interface Problems {
  found(): string[];
  /** From now on, and before: this is none. As where the broker is killed, and the browser says so. */
  allow(pattern: RegExp): void;
  /** The next test begins with none. */
  forget(): void;
}

/** When the broker ends, Chromium itself says that it could not connect, or that what it was fetching was broken off. */
export const brokerIsGone = /WebSocket connection to .* failed|ERR_CONNECTION_(REFUSED|RESET)/;

export async function recordProblems(context: BrowserContext): Promise<Problems> {
  const all: string[] = [];
  const allowed: RegExp[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') {
      all.push(`console: ${message.text()} ${message.location().url}`);
    }
  });
  context.on('weberror', (error) => all.push(`error: ${error.error().stack ?? error.error().message}`));
  await context.exposeFunction('lanyardTestViolation', (text: string) => {
    all.push(`policy: ${text}`);
  });
  await context.addInitScript(() => {
    window.addEventListener('securitypolicyviolation', (event) => {
      const tell = (window as unknown as { lanyardTestViolation(text: string): void }).lanyardTestViolation;
      tell(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
    });
  });
  return {
    found: () => all.filter((text) => !allowed.some((pattern) => pattern.test(text))),
    allow: (pattern) => void allowed.push(pattern),
    forget: () => {
      all.length = 0;
      allowed.length = 0;
    },
  };
}
