import { afterAll, beforeAll, expect, test } from 'vitest';
import { Stage, until } from '../support/stage.ts';

/** The provider is down, and the token has ended. */
const lifeSeconds = 4;
const callers = 5;
/** They ask so often in all while it is down. */
const least = 40;
/** How often it may be asked in this time: the waits of main/grants/renewals.ts, the least of each by chance. */
function mostTries(milliseconds: number): number {
  let tries = 0;
  for (let left = milliseconds; left > 0; tries++) {
    left -= Math.min(2_500 * 2 ** tries, 15_000);
  }
  return tries;
}

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open({ provider: { lifetimes: { idTokenSeconds: lifeSeconds } } });
  await stage.logIn();
});
afterAll(() => stage?.dispose());

/** Asks in a loop as one process without a terminal. */
function client() {
  const script = `
    const { spawnSync } = require('node:child_process');
    let ended = false;
    process.stdin.on('end', () => { ended = true; }).resume();
    const ask = () => {
      const { status, stderr } = spawnSync(process.argv[1], ['kube-credential', '--account', 'corp', '--cluster', 'prod']);
      process.stdout.write(JSON.stringify({ status, stderr: String(stderr) }) + '\\n');
      if (!ended) setTimeout(ask, 100);
    };
    ask();`;
  const running = stage.start(process.execPath, ['-e', script, stage.home.file('helper')], {
    env: { KUBERNETES_EXEC_INFO: JSON.stringify(stage.execInfo()) },
  });
  const said = () =>
    running
      .stdout()
      .split('\n')
      .slice(0, -1)
      .map((line): { status: number; stderr: string } => JSON.parse(line));
  return { running, said };
}

test('gets one request for each backoff, whichever client asks, and serves all when it is back', async () => {
  const all = Array.from({ length: callers }, client);
  stage.provider.setFault('token', { kind: 'down' });
  await until(() => (all.every(({ said }) => said().at(-1)?.status === 16) ? true : null), 'the token’s end');
  const asked = () => all.reduce((sum, { said }) => sum + said().length, 0);
  const [from, askedBefore] = [performance.now(), asked()];
  const before = stage.provider.counts.requests.token;
  await until(() => (asked() - askedBefore > least ? true : null), 'many more calls');
  const requests = stage.provider.counts.requests.token - before;
  expect(requests).toBeLessThanOrEqual(mostTries(performance.now() - from));
  stage.provider.clearFaults();
  await until(() => (all.every(({ said }) => said().at(-1)?.status === 0) ? true : null), 'a new token');
  for (const { running } of all) {
    running.closeInput();
    await running.ended;
  }
});
