import { afterEach, describe, expect, it } from 'vitest';
import { type AppProgram, startApp } from '../support/electron/program.ts';
import { makeHome, type TestHome } from '../support/home.ts';

let home: TestHome;
let app: AppProgram | null = null;

afterEach(async () => {
  await app?.dispose();
  app = null;
  home.dispose();
});

describe('the built app as a program, on the stand-in', () => {
  it('is a broker that the helper finds, and ends when the user quits', async () => {
    home = makeHome();
    app = await startApp({ home });
    const status = await home.lanyard(['status', '--json']);
    expect(status.code).toBe(0);
    expect(JSON.parse(status.stdout)).toMatchObject({ broker: { pid: app.running.pid } });
    // Electron gives its V8 no flags of ours: the app itself sees to it that the broker can look through its memory.
    expect(await app.evaluate(() => typeof globalThis.gc)).toBe('function');
    await app.evaluate((standIn) => standIn.app.quit());
    expect((await app.ended).code).toBe(0);
    const after = await home.lanyard(['status']);
    expect(after.code).toBe(17);
  });
});
