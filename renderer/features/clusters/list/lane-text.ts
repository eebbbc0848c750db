import type { LaneView } from '../../../../main/contract/ui/lane.ts';
import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { clockText } from '../../../ui/time/index.ts';

/**
 * What is said in place of a lane; null: it is drawn. A lane answers when a credential was, or will be, renewed. One
 * that spans it from end to end says nothing, so its expiry is told instead.
 */
export function laneText(
  { segments, marks }: LaneView,
  { credential, state }: Pick<ClusterView, 'credential' | 'state'>,
  { since, until, now }: { since: number; until: number; now: number },
): string | null {
  const isSeen = (at: number | null) => at !== null && at >= since && at <= until;
  if (marks.some(({ at, kind }) => kind !== 'login' && isSeen(at))) {
    return null;
  }
  const current = segments.findLast((each) => each.current);
  if (credential !== null && current) {
    const { expiresAt, renewsAt } = credential;
    if (isSeen(expiresAt) || isSeen(renewsAt)) {
      return null;
    }
    return expiresAt === null ? 'Never expires' : `Valid until ${clockText(expiresAt, now)}`;
  }
  if (segments.some((each) => isSeen(each.from) || isSeen(each.until))) {
    return null;
  }
  return state === 'locked' ? '' : 'No cached credential';
}
