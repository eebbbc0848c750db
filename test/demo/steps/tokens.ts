import { describeAudit } from '../audit.ts';
import { names, type Stage } from '../stage.ts';
import { readStatus } from './prepare.ts';
import { expect, expectPods, median, type Outcome, refreshes, type Step } from './step.ts';

const warmCalls = 10;
const parallelCalls = 50;
const laterTokenSeconds = 600;

/** kubectl with a token, from the first call to the token's end. */
export const tokenSteps: readonly Step[] = [
  { what: 'kubectl get pods, first call', essential: true, run: firstCall },
  { what: `${warmCalls} more, one by one`, run: callWarm },
  { what: `${parallelCalls} in parallel`, run: callInParallel },
  { what: '1 after the token ran out', run: callAfterEnd },
];

async function firstCall(stage: Stage): Promise<Outcome> {
  const mark = await stage.auditMark();
  const ended = await stage.getPods();
  expectPods(ended);
  const audit = describeAudit(await stage.auditSince(mark));
  const account = (await readStatus(stage)).accounts.find(({ name }) => name === names.account);
  expect(account?.expiresAt != null, 'a token with an end', `the account is ${JSON.stringify(account)}`);
  stage.firstTokenEnd = account.expiresAt;
  stage.provider.lifetimes.idTokenSeconds = laterTokenSeconds;
  return { did: `${audit}; the server saw ${serverSaw(stage, 'token')}`, milliseconds: ended.milliseconds };
}

/** Who the cluster took the last caller for. Throws `Mismatch` where it wasn't by `via`. */
export function serverSaw(stage: Stage, via: 'token' | 'certificate'): string {
  const last = stage.api.requests.at(-1);
  expect(
    last?.via === via && last.status === 200 && last.user !== null,
    `the server to take a ${via}`,
    `it saw ${JSON.stringify(last)}`,
  );
  return last.user ?? '';
}

async function callWarm(stage: Stage): Promise<Outcome> {
  const mark = await stage.auditMark();
  const before = stage.provider.refreshes.length;
  const times: number[] = [];
  for (let call = 0; call < warmCalls; call += 1) {
    const ended = await stage.getPods();
    expectPods(ended);
    times.push(ended.milliseconds);
  }
  const did = await describe(stage, { mark, before, calls: warmCalls });
  return { did: `${did} (ms: the median)`, milliseconds: median(times) };
}

async function callInParallel(stage: Stage): Promise<Outcome> {
  const mark = await stage.auditMark();
  const before = stage.provider.refreshes.length;
  const startedAt = performance.now();
  const all = await Promise.all(Array.from({ length: parallelCalls }, () => stage.getPods()));
  const milliseconds = performance.now() - startedAt;
  all.forEach(expectPods);
  const did = await describe(stage, { mark, before, calls: parallelCalls });
  return { did: `${did} (ms: all of them)`, milliseconds };
}

/** Each call was answered; a slow machine may have reached the token's end meanwhile: one refresh then. */
async function describe(stage: Stage, run: { mark: number; before: number; calls: number }): Promise<string> {
  const lines = await stage.auditSince(run.mark);
  const good = lines.filter(({ outcome }) => outcome === 'handedOut').length;
  expect(
    good === run.calls && lines.length === run.calls,
    `${run.calls} hand-outs in the audit`,
    `there were: ${describeAudit(lines)}`,
  );
  const count = stage.provider.refreshes.length - run.before;
  expect(count <= 1, 'one refresh at most', `there were ${count}`);
  return `${describeAudit(lines)}; ${refreshes(count)} at the provider`;
}

/** The first token lived for seconds only, and was in use: it has been renewed before anybody had to wait. */
async function callAfterEnd(stage: Stage): Promise<Outcome> {
  await waitForEnd(stage, stage.firstTokenEnd);
  const mark = await stage.auditMark();
  const ended = await stage.getPods();
  expectPods(ended);
  const [line] = await stage.auditSince(mark);
  const made = stage.provider.refreshes;
  expect(
    made.length === 1 && made[0]?.error === null,
    'one refresh to have reached the provider',
    `there were ${made.length}: ${made.map(({ error }) => error ?? 'good').join(', ')}`,
  );
  expect(line?.reason === 'held', 'a token that was renewed ahead', `the audit says ${JSON.stringify(line)}`);
  return {
    did: `1 refresh at the provider, ahead of need; 1 issued (cached, generation ${line.generation})`,
    milliseconds: ended.milliseconds,
  };
}

async function waitForEnd(stage: Stage, end: number): Promise<void> {
  for (let left = end - Date.now(); left >= 0; left = end - Date.now()) {
    stage.screen.status(`waiting for the first token to run out: ${Math.ceil(left / 1000)} s`);
    await new Promise((resolve) => setTimeout(resolve, Math.min(left + 1, 200)));
  }
}
