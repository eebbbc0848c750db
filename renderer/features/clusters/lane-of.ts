import type { LaneView } from '../../../main/contract/ui/lane.ts';
import type { Standing } from '../../../main/contract/ui/standing.ts';
import type { ClusterView } from '../../../main/contract/ui/state.ts';

const nothing: LaneView = { segments: [], marks: [] };

/** What the history tells, and what is held now where it doesn't tell of that. */
export function laneOf(
  past: LaneView | undefined,
  credential: ClusterView['credential'],
  now: number,
): LaneView {
  const lane = past ?? nothing;
  const isHeld = credential && (credential.expiresAt === null || credential.expiresAt > now);
  if (!isHeld || lane.segments.some(({ current }) => current)) {
    return lane;
  }
  const last = lane.segments.at(-1);
  const from = Math.min(now, Math.max(credential.issuedAt ?? now, last?.until ?? 0));
  return { ...lane, segments: [...lane.segments, { from, until: credential.expiresAt, current: true }] };
}

/** In which colour what is held is drawn. */
export function toneOf(how: Standing): 'good' | 'soon' | 'bad' {
  return how === 'soon' || how === 'bad' ? how : 'good';
}
