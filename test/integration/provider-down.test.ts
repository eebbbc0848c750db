import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Stage, until } from '../support/stage.ts';

/** The provider is down, and the token has ended. */
const lifeSeconds = 4;
const callers = 5;
const downMilliseconds = 12_000;

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
  const before = stage.provider.counts.requests.token;
  const from = all.map(({ said }) => said().length);
  await delay(downMilliseconds);
  const asked = all.reduce((sum, { said }, index) => sum + said().length - (from[index] ?? 0), 0);
  expect(asked).toBeGreaterThan(20);
  expect(stage.provider.counts.requests.token - before).toBeLessThanOrEqual(4);
  stage.provider.clearFaults();
  await until(() => (all.every(({ said }) => said().at(-1)?.status === 0) ? true : null), 'a new token');
  for (const { running } of all) {
    running.closeInput();
    await running.ended;
  }
});
