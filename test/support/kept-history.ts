import { DatabaseSync } from 'node:sqlite';
import type { Stage } from './stage.ts';

/** What the broker kept of a run. Times are milliseconds since 1970. */
export interface KeptHistory {
  /** Credentials handed out; `ends`: the end of what was handed out; `how`: held, renewed or loggedIn. */
  handedOut: { at: number; how: string; milliseconds: number; ends: number }[];
  refused: { at: number; reason: string }[];
  renewals: { why: string; outcome: string; code: string | null }[];
  rejections: { cluster: string; verdict: string; action: string }[];
}

/** Reads the history of the account `corp` from its file: all of it, whatever its length. */
export function readKeptHistory(stage: Stage): KeptHistory {
  const file = new DatabaseSync(stage.home.file('history'), { readOnly: true });
  try {
    const rows = (sql: string) => file.prepare(sql).all() as Record<string, never>[];
    const ends = new Map<string, number>();
    // A generation's number begins anew with each broker; ids are in the order of events.
    const events = [
      ...rows(
        `SELECT g.id, 'generation' AS kind, g.generation, g.expires_at FROM generations g
         JOIN grants ON grants.id = g.grant_id WHERE grants.account = 'corp' AND grants.audience IS NULL`,
      ),
      ...rows(
        `SELECT id, 'call' AS kind, at, generation, outcome, reason, microseconds FROM calls WHERE account = 'corp'`,
      ),
    ].sort((one, other) => Number(one['id']) - Number(other['id']));
    const kept: KeptHistory = { handedOut: [], refused: [], renewals: [], rejections: [] };
    for (const event of events) {
      if (event['kind'] === 'generation') {
        ends.set(String(event['generation']), Number(event['expires_at']));
      } else if (event['outcome'] === 'handedOut') {
        kept.handedOut.push({
          at: Number(event['at']),
          how: String(event['reason']),
          milliseconds: Number(event['microseconds']) / 1000,
          ends: ends.get(String(event['generation'])) ?? 0,
        });
      } else {
        kept.refused.push({ at: Number(event['at']), reason: String(event['reason']) });
      }
    }
    kept.renewals = rows('SELECT why, outcome, code FROM renewals') as unknown as KeptHistory['renewals'];
    kept.rejections = rows(
      'SELECT target AS cluster, verdict, action FROM rejections',
    ) as unknown as KeptHistory['rejections'];
    return kept;
  } finally {
    file.close();
  }
}
