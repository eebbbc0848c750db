import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { execVersion, findKubectls, runKubectl } from '../support/kubectl.ts';
import { allEnded, codeIn, many, type Storm, setUpStorm, tokenIn, until } from '../support/storm.ts';

/** With real parts (rule: single-flight, no-storms): however many ask, the provider sees one login, and one refresh. */
let storm: Storm;
beforeEach(async () => {
  storm = await setUpStorm();
});
afterEach(() => storm?.dispose());

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
  await until(`${count} callers at the broker`, () => !onLinux || storm.descriptors() >= before + count);
}

describe('an expired grant', () => {
  beforeEach(() => storm.logInAndExpire());

  test('100 callers at once: one refresh reaches the provider, and all get its token', async () => {
    const callers = many(100, storm.caller);
    const ended = await allEnded(callers);
    const token = tokenIn(ended[0]?.stdout ?? '');
    expect(outcomes(ended)).toEqual({ [`0 ${token}`]: 100 });
    expect(storm.provider.counts.tokenRequests.refresh_token).toBe(1);
    expect(storm.provider.counts.requests.device_authorization).toBe(1);
  });

  test('100 callers while the provider is slow: one refresh, and all wait for its token', async () => {
    const before = onLinux ? storm.descriptors() : 0;
    storm.provider.setFault('token', { kind: 'slow', milliseconds: 5_000 });
    const callers = many(100, storm.caller);
    await connected(100, before);
    const ended = await allEnded(callers);
    const token = tokenIn(ended[0]?.stdout ?? '');
    expect(outcomes(ended)).toEqual({ [`0 ${token}`]: 100 });
    expect(storm.provider.counts.requests.token - storm.provider.counts.tokenRequests.device_code).toBe(1);
  });

  test('50 real kubectls at once: one refresh, and all list pods', async () => {
    const kubectl = findKubectls().newest;
    const version = execVersion(kubectl);
    const written = await storm.lanyard('kubeconfig', 'write', '--api-version', version).ended;
    const file = written.stdout.trim();
    const ended = await Promise.all(
      many(50, () =>
        runKubectl(kubectl, file, ['get', 'pods'], { env: storm.home.env, timeoutMilliseconds: 120_000 }),
      ),
    );
    expect(ended.filter(({ code }) => code !== 0).map(({ stderr }) => stderr)).toEqual([]);
    expect(storm.provider.counts.tokenRequests.refresh_token).toBe(1);
    const lists = storm.api.requests.filter(({ path }) => path.endsWith('/pods'));
    expect(lists).toHaveLength(50);
    expect(new Set(storm.api.requests.map(({ token }) => token)).size).toBe(1);
    expect(new Set(storm.api.requests.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test.runIf(onLinux)(
    '50 of 100 callers killed during a refresh: the others get theirs, no connection is left',
    async () => {
      const before = storm.descriptors();
      storm.provider.setFault('token', { kind: 'slow', milliseconds: 5_000 });
      const callers = many(100, storm.caller);
      await connected(100, before);
      const [killed, kept] = [callers.slice(0, 50), callers.slice(50)];
      for (const caller of killed) {
        caller.kill('SIGKILL');
      }
      const ended = await allEnded(kept);
      expect((await allEnded(killed)).every(({ signal }) => signal === 'SIGKILL')).toBe(true);
      expect(outcomes(ended)).toEqual({ [`0 ${tokenIn(ended[0]?.stdout ?? '')}`]: 50 });
      expect(storm.provider.counts.tokenRequests.refresh_token).toBe(1);
      await until('the end of all connections', () => storm.descriptors() <= before);
    },
  );

  test.runIf(onLinux)(
    'all callers killed during a refresh: its answer is kept for the next one',
    async () => {
      const before = storm.descriptors();
      storm.provider.setFault('token', { kind: 'slow', milliseconds: 2_000, when: 'after' });
      const callers = many(20, storm.caller);
      await connected(20, before);
      await until('the refresh', () => storm.provider.refreshes.length === 1);
      for (const caller of callers) {
        caller.kill('SIGKILL');
      }
      await allEnded(callers);
      const next = await storm.caller().ended;
      expect(next.code, next.stderr).toBe(exitCodes.good);
      expect(storm.provider.refreshes.map(({ status }) => status)).toEqual([200]);
      await until('the end of all connections', () => storm.descriptors() <= before);
    },
  );
});

describe('no login yet', () => {
  test('100 callers, each on its own terminal: one device login, shown on one, and all get the token', async () => {
    const callers = many(100, storm.callerOnTerminal);
    const first = await until('a code', () => callers.find((caller) => codeIn(caller.shown())));
    if (onLinux) {
      // Each has its connection, so each has asked.
      await until('100 callers at the broker', () => storm.descriptors() >= 100);
    }
    await storm.provider.person.approveDevice(codeIn(first.shown()) ?? '');
    const ended = await allEnded(callers);
    expect(outcomes(ended)).toEqual({ [`0 ${tokenIn(first.shown())}`]: 100 });
    expect(ended.filter(({ stdout }) => codeIn(stdout))).toHaveLength(1);
    expect(storm.provider.counts.requests.device_authorization).toBe(1);
    expect(storm.provider.counts.tokenRequests.refresh_token).toBe(0);
  });

  test('100 logins at once: one at the provider, and all are told as whom', async () => {
    const logins = many(100, () => storm.lanyard('login', 'corp'));
    await Promise.all(logins.map((login) => login.waitForLine(/enter the code (\S+)/, 60_000)));
    const codes = new Set(logins.map((login) => codeIn(login.stderr())));
    expect(codes.size).toBe(1);
    await storm.provider.person.approveDevice([...codes][0] ?? '');
    const ended = await allEnded(logins);
    expect(ended.map(({ code }) => code)).toEqual(many(100, () => 0));
    expect(ended.every(({ stderr }) => stderr.includes('Logged in to corp as alice'))).toBe(true);
    expect(storm.provider.counts.requests.device_authorization).toBe(1);
  });

  test('after a denied login 100 callers are told the command, and no login is begun', async () => {
    const login = storm.lanyard('login', 'corp');
    const [, code = ''] = await login.waitForLine(/enter the code (\S+)/, 60_000);
    await storm.provider.person.denyDevice(code);
    expect((await login.ended).code).toBe(exitCodes.denied);
    const requests = storm.provider.counts.requests.token;
    const ended = await allEnded([...many(60, storm.caller), ...many(40, storm.callerOnTerminal)]);
    for (const { code: exit, stdout, stderr } of ended) {
      expect(exit).toBe(exitCodes.loginNeeded);
      expect(stdout + stderr).toContain('lanyard login corp');
    }
    expect(storm.provider.counts.requests.device_authorization).toBe(1);
    expect(storm.provider.counts.requests.token).toBe(requests);
  });

  test('callers without a terminal begin no login, and none is left behind', async () => {
    const ended = await allEnded(many(100, storm.caller));
    expect(new Set(ended.map(({ code }) => code))).toEqual(new Set([exitCodes.loginNeeded]));
    expect(storm.provider.counts.requests.device_authorization).toBe(0);
  });
});
