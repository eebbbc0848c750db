import type { Recorder } from '../../ports/history.ts';
import type { Metrics } from './create-metrics.ts';

/** Counts each event as it is recorded. A call that can't be recorded isn't issued, and counts as denied. */
export function createCountingRecorder(recorder: Recorder, metrics: Pick<Metrics, 'count'>): Recorder {
  return {
    record(event) {
      try {
        recorder.record(event);
      } catch (error) {
        metrics.count(event.kind === 'call' ? { ...event, outcome: 'refused' } : event);
        throw error;
      }
      metrics.count(event);
    },
  };
}
