import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { execVersion, findKubectls, runKubectl } from '../support/kubectl.ts';
import { isLong } from '../support/long.ts';
import { mustBeGood } from '../support/stage.ts';
import { allEnded, codeIn, many, type Storm, setUpStorm, tokenIn, until } from '../support/storm.ts';

/** With real parts (rule: single-flight, no-storms): however many ask, the provider sees one login, and one refresh. */
const crowd = isLong ? 100 : 40;
const kubectls = isLong ? 50 : 10;

let storm: Storm;
/** What the provider has seen of this test. */
let seen: { logins(): number; refreshes(): number; tokenRequests(): number };
beforeAll(async () => {
  storm = await setUpStorm();
});
afterAll(() => storm?.dispose());
beforeEach(() => {
  const { counts } = storm.provider;
  const before = structuredClone(counts);
  seen = {
    logins: () => counts.requests.device_authorization - before.requests.device_authorization,
    refreshes: () => counts.tokenRequests.refresh_token - before.tokenRequests.refresh_token,
    // Without the polls of a login.
    tokenRequests: () =>
      counts.requests.token -
      before.requests.token -
      (counts.tokenRequests.device_code - before.tokenRequests.device_code),
  };
});
afterEach(() => storm.provider.clearFaults());

const onLinux = process.platform === 'linux';

/** What went wrong for whom, each once: readable where a hundred should be alike. */
function outcomes(ended: readonly { code: number | null; stdout: string; stderr: string }[]): unknown {
  const texts = ended.map(({ code, stdout, stderr }) =>
    code === exitCodes.good ? `${code} ${tokenIn(stdout)}` : `${code} ${stdout} ${stderr}`,
  );
  return Object.fromEntries(
    [...new Set(texts)].map((text) => [text, texts.filter((t) => t === text).length]),
  );
}

/** Once all of them are connected to the broker. Elsewhere than on Linux nobody looks. */
async function connected(count: number, before: number): Promise<void> {
  await until(`${count} callers at the broker`, () => !onLinux || storm.connections() >= before + count);
}

describe('an expired grant', () => {
  beforeEach(async () => {
    // One that is left of the test before is not renewed meanwhile.
    mustBeGood(await storm.lanyard('logout', 'corp').ended);
    await storm.logInAndExpire();
  });

  test(`${crowd} callers at once: one refresh reaches the provider, and all get its token`, async () => {
    const callers = many(crowd, storm.caller);
    const ended = await allEnded(callers);
    const token = tokenIn(ended[0]?.stdout ?? '');
    expect(outcomes(ended)).toEqual({ [`0 ${token}`]: crowd });
    expect(seen.refreshes()).toBe(1);
    expect(seen.logins()).toBe(1);
  });

  test(`${crowd} callers while the provider is slow: one refresh, and all wait for its token`, async () => {
    const before = onLinux ? storm.connections() : 0;
    const answer = Promise.withResolvers<void>();
    storm.provider.setFault('token', { kind: 'held', until: answer.promise, when: 'before' });
    const callers = many(crowd, storm.caller);
    await connected(crowd, before);
    answer.resolve();
    const ended = await allEnded(callers);
    const token = tokenIn(ended[0]?.stdout ?? '');
    expect(outcomes(ended)).toEqual({ [`0 ${token}`]: crowd });
    expect(seen.tokenRequests()).toBe(1);
  });

  test(`${kubectls} real kubectls at once: one refresh, and all list pods`, async () => {
    const before = storm.api.requests.length;
    const kubectl = findKubectls().newest;
    const version = execVersion(kubectl);
    const written = await storm.lanyard('kubeconfig', 'write', '--api-version', version).ended;
    const file = written.stdout.trim();
    const ended = await Promise.all(
      many(kubectls, () =>
        runKubectl(kubectl, file, ['get', 'pods'], { env: storm.home.env, timeoutMilliseconds: 120_000 }),
      ),
    );
    expect(ended.filter(({ code }) => code !== 0).map(({ stderr }) => stderr)).toEqual([]);
    expect(seen.refreshes()).toBe(1);
    const requests = storm.api.requests.slice(before);
    expect(requests.filter(({ path }) => path.endsWith('/pods'))).toHaveLength(kubectls);
    expect(new Set(requests.map(({ token }) => token)).size).toBe(1);
    expect(new Set(requests.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test.runIf(onLinux)(
    `${crowd / 2} of ${crowd} callers killed during a refresh: the others get theirs, no connection is left`,
    async () => {
      const before = storm.connections();
      const answer = Promise.withResolvers<void>();
      storm.provider.setFault('token', { kind: 'held', until: answer.promise, when: 'before' });
      const callers = many(crowd, storm.caller);
      await connected(crowd, before);
      const [killed, kept] = [callers.slice(0, crowd / 2), callers.slice(crowd / 2)];
      for (const caller of killed) {
        caller.kill('SIGKILL');
      }
      expect((await allEnded(killed)).every(({ signal }) => signal === 'SIGKILL')).toBe(true);
      answer.resolve();
      const ended = await allEnded(kept);
      expect(outcomes(ended)).toEqual({ [`0 ${tokenIn(ended[0]?.stdout ?? '')}`]: crowd / 2 });
      expect(seen.refreshes()).toBe(1);
      await until('the end of all connections', () => storm.connections() <= before);
    },
  );

  test.runIf(onLinux)(
    'all callers killed during a refresh: its answer is kept for the next one',
    async () => {
      const before = storm.connections();
      const refreshed = storm.provider.refreshes.length;
      const answer = Promise.withResolvers<void>();
      storm.provider.setFault('token', { kind: 'held', until: answer.promise, when: 'after' });
      const callers = many(20, storm.caller);
      await connected(20, before);
      await until('the refresh', () => storm.provider.refreshes.length > refreshed);
      for (const caller of callers) {
        caller.kill('SIGKILL');
      }
      await allEnded(callers);
      const next = storm.caller();
      answer.resolve();
      const { code, stderr } = await next.ended;
      expect(code, stderr).toBe(exitCodes.good);
      expect(storm.provider.refreshes.slice(refreshed).map(({ status }) => status)).toEqual([200]);
      await until('the end of all connections', () => storm.connections() <= before);
    },
  );
});

describe('no login', () => {
  beforeEach(async () => mustBeGood(await storm.lanyard('logout', 'corp').ended));

  test(`${crowd} callers, each on its own terminal: one device login, shown on one, and all get the token`, async () => {
    const before = onLinux ? storm.connections() : 0;
    const callers = many(crowd, storm.callerOnTerminal);
    const first = await until('a code', () => callers.find((caller) => codeIn(caller.shown())));
    // Each has its connection, so each has asked.
    await connected(crowd, before);
    await storm.provider.person.approveDevice(codeIn(first.shown()) ?? '');
    const ended = await allEnded(callers);
    expect(outcomes(ended)).toEqual({ [`0 ${tokenIn(first.shown())}`]: crowd });
    expect(ended.filter(({ stdout }) => codeIn(stdout))).toHaveLength(1);
    expect(seen.logins()).toBe(1);
    expect(seen.refreshes()).toBe(0);
  });

  test(`${crowd} logins at once: one at the provider, and all are told as whom`, async () => {
    const logins = many(crowd, () => storm.lanyard('login', 'corp'));
    await Promise.all(logins.map((login) => login.waitForLine(/enter the code (\S+)/, 60_000)));
    const codes = new Set(logins.map((login) => codeIn(login.stderr())));
    expect(codes.size).toBe(1);
    await storm.provider.person.approveDevice([...codes][0] ?? '');
    const ended = await allEnded(logins);
    expect(ended.map(({ code }) => code)).toEqual(many(crowd, () => 0));
    expect(ended.every(({ stderr }) => stderr.includes('Logged in to corp as alice'))).toBe(true);
    expect(seen.logins()).toBe(1);
  });

  test(`after a denied login ${crowd} callers are told the command, and no login is begun`, async () => {
    const login = storm.lanyard('login', 'corp');
    const [, code = ''] = await login.waitForLine(/enter the code (\S+)/, 60_000);
    await storm.provider.person.denyDevice(code);
    expect((await login.ended).code).toBe(exitCodes.denied);
    const requests = seen.tokenRequests();
    const ended = await allEnded([
      ...many(crowd / 2, storm.caller),
      ...many(crowd / 2, storm.callerOnTerminal),
    ]);
    for (const { code: exit, stdout, stderr } of ended) {
      expect(exit).toBe(exitCodes.loginNeeded);
      expect(stdout + stderr).toContain('lanyard login corp');
    }
    expect(seen.logins()).toBe(1);
    expect(seen.tokenRequests()).toBe(requests);
  });

  test('callers without a terminal begin no login, and none is left behind', async () => {
    const ended = await allEnded(many(crowd, storm.caller));
    expect(new Set(ended.map(({ code }) => code))).toEqual(new Set([exitCodes.loginNeeded]));
    expect(seen.logins()).toBe(0);
  });
});
