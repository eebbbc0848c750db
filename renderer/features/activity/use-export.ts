import { useState } from 'react';
import type { ActivityFilter } from '../../../main/contract/ui/calls/activity.ts';
import { useClient } from '../../stores/use-broker.tsx';
import { failureOf } from '../../stores/use-call.ts';
import { useToast } from '../../ui/toast.tsx';

/** Saves what the filter shows as a file of JSON lines. */
export function useExport(): { busy: boolean; save(filter: ActivityFilter): Promise<void> } {
  const client = useClient();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  return {
    busy,
    async save(filter) {
      setBusy(true);
      const pieces: string[] = [];
      try {
        const { events, cut } = await client.call(
          'activity.export',
          { filter },
          { onProgress: ({ text }) => void pieces.push(text) },
        );
        download(new Blob(pieces, { type: 'application/x-ndjson' }), 'lanyard-activity.jsonl');
        toast.show(
          events === 1 ? 'One event is saved' : `${events.toLocaleString('en-US')} events are saved`,
          cut ? 'There are more: take a shorter time to have them all.' : undefined,
        );
      } catch (error) {
        toast.fail(failureOf(error));
      } finally {
        setBusy(false);
      }
    },
  };
}

function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
