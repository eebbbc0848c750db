import { appendFileSync, chmodSync, copyFileSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Disposable } from '../../main/base/disposables.ts';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { protocolRange } from '../../main/contract/frames.ts';
import { createPeerIdentity, loadAddon } from '../../main/platform/native/addon.ts';
import type { VersionRange } from '../../main/platform/socket/rules/negotiate-version.ts';
import { serve } from '../../main/platform/socket/server.ts';
import { createUnixListener } from '../../main/platform/socket/unix-listener.ts';
import type { Door } from '../../main/ports/door.ts';
import { silentLog } from '../../main/ports/log.ts';
import { placeHelper } from '../../main/start/place-helper.ts';
import { startAgent } from '../support/agent.ts';
import { startFakeHelper } from '../support/fake-helper.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { run } from '../support/processes.ts';

/*
 * After an update the broker is newer than helpers that run, and a helper may be newer than a broker that wasn't started
 * anew. There has been one version of the protocol so far: what stands in for the other side is its range of versions,
 * with the real helper, and then with the real broker.
 */

const { max: now } = protocolRange;
const addon = join(import.meta.dirname, '..', '..', 'dist', 'native', 'lanyard.node');

let home: TestHome;
let server: Disposable | null = null;
beforeEach(() => {
  home = makeHome();
});
afterEach(async () => {
  await server?.dispose();
  server = null;
  home.dispose();
});

const answers: Door = async () => ({ code: exitCodes.good, stdout: 'served\n' });

/** A broker of these versions at the home's socket, as far as its socket goes. */
async function brokerOf(versions: VersionRange, door: Door = answers): Promise<void> {
  server = await serve({
    listener: createUnixListener(home.file('socket')),
    identity: createPeerIdentity(loadAddon(addon), process.pid),
    clock: new ManualClock(),
    log: silentLog,
    doors: new Map([['cli', door]]),
    brokerVersion: '9.9.9',
    versions,
  });
}

describe('the real helper', () => {
  it('is served by a broker of the next version', async () => {
    await brokerOf({ min: now, max: now + 1 });
    expect(await home.lanyard(['status'])).toMatchObject({ code: 0, stdout: 'served\n', stderr: '' });
  });

  it('is told to be updated by one that doesn’t speak its version any more', async () => {
    await brokerOf({ min: now + 1, max: now + 2 });
    const { code, stderr } = await home.lanyard(['status']);
    expect(code).toBe(exitCodes.version);
    expect(stderr).toMatch(/the helper .*too old/);
  });

  it('that runs while the app puts a newer one in its place goes on to its end', async () => {
    const stable = home.file('helper');
    mkdirSync(dirname(stable));
    copyFileSync(builtHelper, stable);
    // Another content, as an older build has.
    appendFileSync(stable, 'older');
    chmodSync(stable, 0o755);
    const before = statSync(stable).ino;
    const asked = Promise.withResolvers<void>();
    const replaced = Promise.withResolvers<void>();
    await brokerOf(protocolRange, async () => {
      asked.resolve();
      await replaced.promise;
      return { code: exitCodes.good, stdout: 'served\n' };
    });
    const running = run(stable, ['status'], { env: home.env });
    await asked.promise;
    await placeHelper(builtHelper, stable, { log: silentLog });
    expect(statSync(stable).ino).not.toBe(before);
    expect(statSync(stable).size).toBe(statSync(builtHelper).size);
    replaced.resolve();
    expect(await running).toMatchObject({ code: 0, stdout: 'served\n' });
    expect(await run(stable, ['status'], { env: home.env })).toMatchObject({ code: 0 });
  });
});

describe('the real broker', () => {
  const execInfo = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    spec: { interactive: false },
  };
  const ask = { account: 'corp', cluster: 'prod', execInfo };

  it('serves a helper of the next version, and says of itself that it is too old for one that has no older', async () => {
    const agent = await startAgent({ home });
    try {
      const helper = startFakeHelper(home.file('socket'), ask, { min: now, max: now + 1 });
      expect(await helper.frame('welcome')).toMatchObject({ protocol: now });
      // As any other: there is no vault here.
      expect((await helper.ended()).code).toBe(exitCodes.locked);
      const next = startFakeHelper(home.file('socket'), ask, { min: now + 1, max: now + 2 });
      const { code, stderr } = await next.ended();
      expect(code).toBe(exitCodes.version);
      expect(stderr).toMatch(/the agent .*too old/);
    } finally {
      await agent.dispose();
    }
  });
});
