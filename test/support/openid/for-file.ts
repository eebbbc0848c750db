import { afterAll, beforeEach, expect } from 'vitest';
import { createOidcAccount } from '../../../main/accounts/oidc/oidc-account.ts';
import { openHostileBench } from '../../../main/accounts/testing/hostile-bench.ts';
import { createOidcBench, type OidcBenchOptions } from '../../../main/accounts/testing/oidc-bench.ts';
import { startOpenIdProvider } from '../openid-provider.ts';
import { startHostileProvider } from './hostile.ts';
import { startTrap } from './trap.ts';

/** A provider for all tests of a file, without faults at the start of each, and accounts at it. */
export async function providerForFile(options?: Parameters<typeof startOpenIdProvider>[0]) {
  const provider = await startOpenIdProvider(options);
  afterAll(() => provider.dispose());
  beforeEach(() => {
    provider.clearFaults();
    provider.setDiscovery({});
  });
  const open = (more: OidcBenchOptions = {}) => createOidcBench(createOidcAccount, provider, more);
  return { provider, open, loggedIn: loggedInBy(open) };
}

/** The same with a provider that a test tells how to misbehave. */
export async function hostileForFile() {
  const hostile = await startHostileProvider();
  afterAll(() => hostile.dispose());
  beforeEach(() => hostile.reset());
  const open = (more: OidcBenchOptions = {}) => openHostileBench(createOidcAccount, hostile, more);
  return { hostile, open, loggedIn: loggedInBy(open) };
}

const loggedInBy =
  <Bench extends ReturnType<typeof createOidcBench>>(open: (more?: OidcBenchOptions) => Bench) =>
  async (more?: OidcBenchOptions): Promise<Bench> => {
    const bench = open(more);
    expect(await bench.login()).toMatchObject({ ok: true });
    return bench;
  };

/** Where nothing may be sent; forgotten before each test. */
export async function trapForFile() {
  const trap = await startTrap();
  afterAll(() => trap.dispose());
  beforeEach(() => {
    trap.requests.length = 0;
  });
  return trap;
}
