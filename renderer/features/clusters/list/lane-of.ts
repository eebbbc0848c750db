import type { Health } from '../../../../main/contract/ui/health.ts';
import type { LaneSegment, LaneView } from '../../../../main/contract/ui/lane.ts';
import type { ClusterView } from '../../../../main/contract/ui/state.ts';

const nothing: LaneView = { segments: [], marks: [] };

/**
 * The credentials of the history, and the current one if the history lacks it. Draws no current credential if there
 * is none, even if the history has one: it doesn't record that locking made the broker forget a plugin's credential.
 */
export function laneOf(
  past: LaneView | undefined,
  { credential, state }: Pick<ClusterView, 'credential' | 'state'>,
  now: number,
): LaneView {
  const lane = past ?? nothing;
  if (credential === null && state !== 'locked') {
    return {
      ...lane,
      segments: lane.segments.map((segment) => (segment.current ? ended(segment, now) : segment)),
    };
  }
  const isHeld = credential && (credential.expiresAt === null || credential.expiresAt > now);
  if (!isHeld || lane.segments.some(({ current }) => current)) {
    return lane;
  }
  const last = lane.segments.at(-1);
  const from = Math.min(now, Math.max(credential.issuedAt ?? now, last?.until ?? 0));
  return { ...lane, segments: [...lane.segments, { from, until: credential.expiresAt, current: true }] };
}

function ended(segment: LaneSegment, now: number): LaneSegment {
  return { ...segment, until: Math.min(now, segment.until ?? now), current: false };
}

/** The colour of the current credential. */
export function toneOf(how: Health): 'good' | 'soon' | 'bad' {
  return how === 'soon' || how === 'bad' ? how : 'good';
}
