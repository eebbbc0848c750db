import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  dayHours,
  dayMilliseconds,
  type HourOfRuns,
  hourMilliseconds,
  type Rotation,
} from '../domain/figures/plugin-objectives.ts';
import { clusterOf, targetOfKey } from '../domain/target/target.ts';
import type { HistoryStore } from './history-store.ts';

/** Rows of one step, as in the reader. */
const stepRows = 250;

/** Parts of an hour: no step takes long, though a storm of runs is on record. */
const hourSteps = 6;

export const runsOfStep = `
  SELECT account, target, count(*) AS runs, count(code) AS failed,
    count(code) FILTER (WHERE call_status = 'no_error') AS unusable
  FROM plugin_runs WHERE at > ? AND at <= ? GROUP BY account, target`;

/** What a certificate's last hundredth of life was, and whether its plugin failed from then on. */
export const rotationsOf = `
  SELECT generations.id AS id, generations.at AS at, grants.account AS account, generations.target AS target,
    why, previous_age, previous_life,
    previous_age > previous_life AND EXISTS (
      SELECT 1 FROM plugin_runs AS runs WHERE runs.account = grants.account AND runs.code IS NOT NULL
        AND runs.at BETWEEN generations.at - previous_age + previous_life * 0.99 AND generations.at
        AND (generations.target IS NULL OR runs.target = generations.target)
    ) AS after_failure
  FROM generations JOIN grants ON grants.id = grant_id
  WHERE replaced_certificate_age IS NOT NULL AND generations.at BETWEEN ? AND ?
    AND NOT (generations.at = ? AND generations.id >= ?)
  ORDER BY generations.at DESC, generations.id DESC LIMIT ${stepRows}`;

/** All plugins' runs in the 24 hours up to `now`; several counts of one hour. */
export async function readRuns(store: Pick<HistoryStore, 'use'>, now: number): Promise<HourOfRuns[]> {
  const found: HourOfRuns[] = [];
  const stepMilliseconds = hourMilliseconds / hourSteps;
  for (let step = 0; step < dayHours * hourSteps; step++) {
    const from = Math.trunc(now) - dayMilliseconds + step * stepMilliseconds;
    const rows = store.use((open) => open.statement(runsOfStep).all(from, from + stepMilliseconds));
    found.push(
      ...rows.map((row) => ({
        account: String(row['account']),
        cluster: clusterOfKey(row['target'] as string | null),
        hour: Math.floor(step / hourSteps),
        runs: Number(row['runs']),
        failed: Number(row['failed']),
        unusable: Number(row['unusable']),
      })),
    );
    await nextTurn();
  }
  return found;
}

/** The newest rotations of certificates whose life is known, of all accounts, this many rows at most. */
export async function readRotations(
  store: Pick<HistoryStore, 'use'>,
  { since, limit }: { since: number; limit: number },
): Promise<Rotation[]> {
  const found: Rotation[] = [];
  let before = { at: Number.MAX_SAFE_INTEGER, id: 0 };
  for (let seen = 0; seen < limit; seen += stepRows) {
    const rows = store.use((open) =>
      open.statement(rotationsOf).all(Math.trunc(since), before.at, before.at, before.id),
    );
    for (const row of rows) {
      const [age, life] = [row['previous_age'], row['previous_life']];
      if (age !== null && life !== null && Number(life) > 0) {
        found.push({
          account: String(row['account']),
          cluster: clusterOfKey(row['target'] as string | null),
          at: Number(row['at']),
          why: String(row['why']),
          age: Number(age),
          life: Number(life),
          afterFailure: row['after_failure'] === 1,
        });
      }
    }
    const last = rows.at(-1);
    if (rows.length < stepRows || !last) {
      break;
    }
    before = { at: Number(last['at']), id: Number(last['id']) };
    await nextTurn();
  }
  return found;
}

function clusterOfKey(key: string | null): string | null {
  return key === null ? null : clusterOf(targetOfKey(key));
}
