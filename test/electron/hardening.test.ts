import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ElectronAgent, startElectronAgent } from '../e2e/support/electron-agent.ts';
import { makeHome, type TestHome } from '../support/home.ts';

/** What only a real Electron can show; `npm run test:electron` runs it, and says so where there is none. */
describe('the app’s window on a real Electron', () => {
  let home: TestHome;
  let app: ElectronAgent;

  beforeAll(async () => {
    home = makeHome();
    app = await startElectronAgent({ home, passphrase: 'a passphrase of the test' });
  });

  afterAll(async () => {
    await app?.dispose();
    home?.dispose();
  });

  it('has nothing of Node, and of the app the contract alone', async () => {
    const page = await app.window();
    const found = await page.evaluate(() => ({
      require: typeof (globalThis as Record<string, unknown>)['require'],
      process: typeof (globalThis as Record<string, unknown>)['process'],
      module: typeof (globalThis as Record<string, unknown>)['module'],
      lanyard: Object.keys((globalThis as Record<string, unknown>)['lanyard'] as object).sort(),
      origin: location.origin,
    }));
    expect(found).toEqual({
      require: 'undefined',
      process: 'undefined',
      module: 'undefined',
      lanyard: ['listen', 'listenDrops', 'send'],
      origin: 'app://lanyard',
    });
  });

  it('goes nowhere, opens nothing, runs nothing that was written into it, and is given no permission', async () => {
    const page = await app.window();
    const before = page.url();
    const found = await page.evaluate(async () => {
      const opened = window.open('https://example.com/');
      location.href = 'https://example.com/';
      const script = document.createElement('script');
      let injected = 'refused';
      try {
        script.textContent = 'document.title = "injected"';
        document.body.append(script);
        injected = document.title === 'injected' ? 'ran' : 'refused';
      } catch {
        // Trusted types refuse it before the CSP does.
      }
      const fetched = await fetch('https://example.com/').then(
        () => 'fetched',
        () => 'refused',
      );
      const { state } = await navigator.permissions.query({ name: 'geolocation' });
      return { opened, injected, fetched, state };
    });
    expect(found).toEqual({ opened: null, injected: 'refused', fetched: 'refused', state: 'denied' });
    expect(page.url()).toBe(before);
  });
});
