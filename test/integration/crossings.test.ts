import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { fingerprint } from '../support/openid-provider.ts';
import type { Running } from '../support/processes.ts';
import { allEnded, many, type Storm, setUpStorm, tokenIn, until } from '../support/storm.ts';

/**
 * With real parts (rule: nothing-lost): a person's command, a stop or an edit in the middle of a refresh or a login.
 */
let storm: Storm;

describe('what crosses a refresh or a login', () => {
  beforeEach(async () => {
    storm = await setUpStorm();
  });
  afterEach(() => storm?.dispose());

  /** Callers wait for a refresh: the provider has taken the token, and holds its answer back for a while. */
  async function refreshUnderWay(): Promise<Running[]> {
    await storm.logInAndExpire();
    storm.provider.setFault('token', { kind: 'slow', milliseconds: 3_000, when: 'after' });
    const callers = many(5, storm.caller);
    await until('the use of the token', () => storm.provider.refreshes.length === 1);
    storm.provider.clearFaults();
    return callers;
  }

  const answered = () => until('the answer', () => storm.provider.refreshes[0]?.sentAt);

  test('a logout during a refresh: its token is issued to no one, and it is nowhere after a new start', async () => {
    const callers = await refreshUnderWay();
    expect((await storm.lanyard('logout', 'corp').ended).code).toBe(exitCodes.good);
    for (const { code, stdout } of await allEnded(callers)) {
      expect([code, stdout]).toEqual([exitCodes.loginNeeded, '']);
    }
    await answered();
    expect(await storm.account()).toMatchObject({ state: 'loginNeeded' });
    await storm.agent().stop();
    await storm.startAgent();
    expect(await storm.account()).toMatchObject({ state: 'loginNeeded' });
    expect((await storm.caller().ended).code).toBe(exitCodes.loginNeeded);
    expect(storm.provider.refreshes).toHaveLength(1);
  });

  test('a lock during a refresh: nothing is issued, and the answer is cached after the unlock', async () => {
    const callers = await refreshUnderWay();
    expect((await storm.lanyard('lock').ended).code).toBe(exitCodes.good);
    expect(storm.provider.refreshes[0]?.sentAt).not.toBeNull();
    for (const { code, stdout } of await allEnded(callers)) {
      expect([code, stdout]).toEqual([exitCodes.locked, '']);
    }
    expect((await storm.caller().ended).code).toBe(exitCodes.locked);
    const unlock = await storm.lanyard('unlock', '--passphrase-file', storm.passphraseFile).ended;
    expect(unlock.code, unlock.stderr).toBe(exitCodes.good);
    await expectTheAnswerKept();
  });

  test('a stop during a refresh: its answer is there after the next start', async () => {
    const callers = await refreshUnderWay();
    expect((await storm.agent().stop()).code).toBe(exitCodes.good);
    for (const { code, stdout } of await allEnded(callers)) {
      expect([code === exitCodes.good, stdout]).toEqual([false, '']);
    }
    await storm.startAgent();
    await expectTheAnswerKept();
  });

  async function expectTheAnswerKept(): Promise<void> {
    const { code, stdout, stderr } = await storm.caller().ended;
    expect(code, stderr).toBe(exitCodes.good);
    expect(fingerprint(tokenIn(stdout) ?? '')).toBe(storm.provider.refreshes[0]?.idToken);
    expect(storm.provider.refreshes).toHaveLength(1);
    expect(storm.provider.counts.requests.device_authorization).toBe(1);
  }

  test('an account that is removed during its login: the login ends, and nothing of it is stored', async () => {
    const login = storm.lanyard('login', 'corp');
    const [, code = ''] = await login.waitForLine(/enter the code (\S+)/, 60_000);
    const other = structuredClone(storm.config);
    storm.home.writeConfig({ ...other, accounts: {}, clusters: {} });
    const ended = await login.ended;
    expect(ended.code, ended.stderr).toBe(exitCodes.denied);
    await storm.provider.person.approveDevice(code);
    storm.home.writeConfig(storm.config);
    await until(
      'the configuration as it was',
      async () => (await storm.caller().ended).code === exitCodes.loginNeeded,
    );
    expect(await storm.account()).toMatchObject({ state: 'loginNeeded', problem: null });
  });
});
