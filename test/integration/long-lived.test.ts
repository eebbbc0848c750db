import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KeptHistory, readKeptHistory } from '../support/kept-history.ts';
import { isLong } from '../support/long.ts';
import { type ClientEvent, clusterNames, startLongLived } from '../support/long-lived.ts';
import { Stage, until } from '../support/stage.ts';

/** Clients that live on, over some lives of a token: nobody gets a stale one, and nobody's asking renews one too early. */
const lives = isLong ? 4 : 2;
const lifeSeconds = isLong ? 10 : 8;
const clusters = clusterNames(isLong ? 10 : 4);

let stage: Stage;
let took: number;
let kept: KeptHistory;
const did: Record<'k9s' | 'python', ClientEvent[]> = { k9s: [], python: [] };

beforeAll(async () => {
  stage = await Stage.open({
    provider: { lifetimes: { idTokenSeconds: lifeSeconds } },
    extend: (config) => {
      for (const name of clusters) {
        config.clusters[name] = { ...config.clusters['prod'] };
      }
    },
  });
  await stage.logIn();
  const from = Date.now();
  const k9s = startLongLived(stage, { clusters, perLoad: false, pauseMilliseconds: 400 });
  const python = startLongLived(stage, {
    clusters: clusters.slice(0, 3),
    perLoad: true,
    pauseMilliseconds: 500,
  });
  const answered = ({ events }: ReturnType<typeof startLongLived>) =>
    requests(events()).filter(({ status }) => status === 200).length;
  const isOver = () =>
    stage.provider.refreshes.length >= lives &&
    [k9s, python].every((client) => answered(client) > 20 * lives) &&
    clusters.every((name) => asked(k9s.events()).filter(({ cluster }) => cluster === name).length > lives);
  await until(() => (isOver() ? true : null), `${lives} renewals, and that each is asked for again`);
  [did.k9s, did.python] = await Promise.all([k9s.stop(), python.stop()]);
  took = Date.now() - from;
  await stage.agent.stop();
  kept = readKeptHistory(stage);
}, 300_000);
afterAll(() => stage?.dispose());

const asked = (events: readonly ClientEvent[]) =>
  events.flatMap((event) => (event.kind === 'asked' ? [event] : []));
const requests = (events: readonly ClientEvent[]) =>
  events.flatMap((event) => (event.kind === 'request' ? [event] : []));

describe.each(['k9s', 'python'] as const)('a client like %s', (name) => {
  test('gets a credential each time, never an expired one (KEP-541/valid-or-error)', () => {
    expect(asked(did[name]).filter(({ code }) => code !== 0)).toEqual([]);
    expect(asked(did[name]).filter(({ ends, from }) => ends === null || ends <= from)).toEqual([]);
    expect(new Set(asked(did[name]).map(({ cluster }) => cluster)).size).toBe(
      name === 'k9s' ? clusters.length : 3,
    );
  });

  test('uses no expired token, and gets no 401 for a valid one', () => {
    const all = requests(did[name]);
    expect(all.filter(({ status }) => status === 200).length).toBeGreaterThan(20 * lives);
    expect(all.filter(({ from, ends }) => ends <= from)).toEqual([]);
    // One that ends on its way is the machine's doing, which may be busy.
    expect(all.filter(({ status, to, ends }) => status !== 200 && ends > to)).toEqual([]);
  });
});

test('the client like k9s comes back by the end that it was told, and no more often', () => {
  // Twice a life at the most: at the told end, and once more where the token was not yet renewed then.
  const most = Math.ceil(took / (lifeSeconds * 1000)) * 2 + 1;
  for (const cluster of clusters) {
    const times = asked(did.k9s).filter((event) => event.cluster === cluster).length;
    expect(times).toBeGreaterThan(lives);
    expect(times).toBeLessThanOrEqual(most);
  }
});

test('each is renewed once in its life, ahead of need, and none for a 401 that no client saw', () => {
  const { refreshes, counts } = stage.provider;
  expect(refreshes.every(({ status }) => status === 200)).toBe(true);
  expect(refreshes.length).toBeGreaterThanOrEqual(lives);
  // Two margins before its end at the earliest; its beginning is a whole second.
  expect(refreshes.length).toBeLessThanOrEqual(took / ((lifeSeconds - 3) * 1000) + 1);
  expect(counts.requests.device_authorization).toBe(1);
  expect(kept.renewals.filter(({ why }) => why === 'rejected')).toEqual([]);
  expect(kept.rejections.filter(({ action }) => action !== 'kept')).toEqual([]);
  // The client like k9s isn't even suspected; that like Python uses the first three.
  expect(kept.rejections.filter(({ cluster }) => !clusters.slice(0, 3).includes(cluster))).toEqual([]);
  expect(kept.renewals.length).toBe(refreshes.length);
  expect(kept.handedOut.filter(({ at, ends }) => ends <= at)).toEqual([]);
  expect(kept.refused).toEqual([]);
});
