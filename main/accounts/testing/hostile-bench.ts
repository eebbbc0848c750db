import { inspect } from 'node:util';
import { expect } from 'vitest';
import type { Account } from '../../ports/account.ts';
import { type BenchDeps, type BenchProvider, createOidcBench, type OidcBenchOptions } from './oidc-bench.ts';

/** A provider that approves device logins automatically, and the secrets that it issued. */
export interface HostileBenchProvider extends Omit<BenchProvider, 'person'> {
  readonly secrets: ReadonlySet<string>;
}

/** The account `corp` at a hostile provider. */
export function openHostileBench(
  create: (deps: BenchDeps) => Account,
  hostile: HostileBenchProvider,
  options: OidcBenchOptions = {},
) {
  const person = { approveDevice: async () => undefined };
  const bench = createOidcBench(create, { ...hostile, person }, options);
  const login = () => bench.login('alice', async () => undefined);

  /** Nothing that the provider made up is in what was told, and none of `more` is. */
  async function expectNothingTold(told: unknown, more: readonly string[] = []): Promise<void> {
    const all = [told, bench.log.lines, await bench.account.state()];
    const text = inspect(all, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true });
    for (const secret of [...hostile.secrets, ...more]) {
      expect(secret !== '' && text.includes(secret)).toBe(false);
    }
    // Nothing that a terminal would obey, or that turns the direction of a line.
    expect(JSON.stringify(all)).not.toMatch(
      /\\u00[019]|[\u0080-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/,
    );
  }

  return {
    ...bench,
    login,
    expectNothingTold,
    /** A login that must fail with `code`: nothing is stored, cached or shown. */
    async expectRefusedLogin(code: string | RegExp): Promise<void> {
      const outcome = await login();
      expect(outcome).toMatchObject({ ok: false, code: expect.stringMatching(code) });
      expect(bench.vault.writes).toEqual([]);
      expect(await bench.account.current()).toBeNull();
      await expectNothingTold(outcome);
    },
    /** A renewal that must not count: token, user and generation stay as they are. */
    async expectRefusedRenewal(code: string | RegExp): Promise<void> {
      const { token, subject, generation, claims } = bench.session();
      const presented = bench.session().refreshToken?.reveal() ?? '';
      const outcome = await bench.renew();
      expect(outcome).toMatchObject({ ok: false, code: expect.stringMatching(code) });
      expect(bench.session()).toMatchObject({ token, subject, generation, claims });
      await expectNothingTold(outcome, [presented]);
    },
  };
}
