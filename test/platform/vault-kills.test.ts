import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { isLong } from '../support/long.ts';
import { seededRandom } from '../support/storm-random.ts';
import { PlatformHome } from './platform-home.ts';

// Whatever moment the broker is killed at, its vault opens again, and nothing that was acknowledged is lost
// (rule: nothing-lost).

const rounds = isLong ? 100 : 3;
const seed = Number(process.env['LANYARD_SEED'] ?? Math.floor(Math.random() * 2 ** 32));
const server = 'https://127.0.0.1:6443';
const execInfo = JSON.stringify({
  apiVersion: 'client.authentication.k8s.io/v1',
  kind: 'ExecCredential',
  spec: { interactive: false, cluster: { server } },
});

/** An account whose secret is set again and again. */
interface Written {
  account: string;
  /** The last value that was acknowledged. */
  kept: string;
  /** The value that was given last: written or not where the broker was killed meanwhile. */
  given: string;
}

const home = new PlatformHome();
/** Two, so that mostly one of them is being written. */
const all: Written[] = ['one', 'two'].map((account) => ({ account, kept: '', given: '' }));

beforeAll(async () => {
  home.writeConfig({
    accounts: Object.fromEntries(all.map(({ account }) => [account, { staticToken: {} }])),
    clusters: Object.fromEntries(all.map(({ account }) => [account, { server, account }])),
  });
  await home.startAgent();
  for (const each of all) {
    expect(await set(each, `${each.account}-at-first`)).toEqual([exitCodes.good, expect.any(String)]);
  }
});
afterAll(() => home.dispose());

async function set(written: Written, value: string) {
  written.given = value;
  const { code, stderr } = await home.lanyard(['secret', 'set', written.account], { input: value });
  if (code === exitCodes.good) {
    written.kept = value;
  }
  return [code, stderr];
}

/** Sets it to one value after the other until the broker is gone. */
async function setUntilKilled(written: Written, round: number): Promise<void> {
  for (let count = 0; ; count += 1) {
    const [code, stderr] = await set(written, `${written.account}-${round}-${count}`);
    if (code !== exitCodes.good) {
      expect([exitCodes.unreachable, exitCodes.internal], String(stderr)).toContain(code);
      return;
    }
  }
}

test(`after kills at ${rounds} random moments of writing the vault has what was acknowledged, or the next value (LANYARD_SEED=${seed})`, {
  timeout: 3_600_000,
}, async () => {
  const random = seededRandom(seed);
  for (let round = 0; round < rounds; round += 1) {
    const pid = await home.brokerPid();
    const writing = Promise.all(all.map((each) => setUntilKilled(each, round)));
    // It is looked at after the kill.
    writing.catch(() => undefined);
    await delay(random() * 700);
    process.kill(pid, 'SIGKILL');
    await Promise.all([writing, home.ended()]);
    await home.startAgent();
    await Promise.all(
      all.map(async (written) => {
        const asked = ['kube-credential', '--account', written.account, '--cluster', written.account];
        const { code, stdout, stderr } = await home.lanyard(asked, {
          env: { KUBERNETES_EXEC_INFO: execInfo },
        });
        expect([code, stderr]).toEqual([exitCodes.good, '']);
        const { token } = JSON.parse(stdout).status;
        expect([written.kept, written.given]).toContain(token);
        written.kept = token;
      }),
    );
  }
});
