import { useEffect } from 'react';
import type { CallInput, CallOutput } from '../../../main/contract/ui/calls/index.ts';
import { useConfigRevision } from '../../stores/use-broker.tsx';
import { type Called, useAction, useCall } from '../../stores/use-call.ts';
import { useToast } from '../../ui/toast.tsx';

export type SettingsShown = CallOutput<'settings.read'>;

/** The settings in config.yaml. */
export function useSettings(): Called<'settings.read'> {
  return useCall('settings.read', {}, { refreshOn: useConfigRevision() });
}

/** Shown when a window asks for what the page can't do alone. */
export const askedInWindow = ['Approve it in Lanyard’s window', 'Nothing changes before you do.'] as const;

/**
 * Changes one setting, and tells the user if it is pending approval. `before`: what Undo sets again; without it, the
 * control shows what was done.
 */
export function useSetSetting(reload: () => void) {
  const action = useAction('settings.set');
  const toast = useToast();
  useEffect(() => {
    if (action.failure) {
      toast.fail(action.failure);
    }
  }, [action.failure, toast]);
  return async (input: CallInput<'settings.set'>, before?: CallInput<'settings.set'>) => {
    const done = await action.run(input);
    reload();
    if (done?.asks) {
      toast.show(...askedInWindow);
    }
    if (done?.held || (done && before)) {
      toast.show(
        'Saved to config.yaml',
        done.held ? 'It takes effect once you approve it: see the line above.' : undefined,
        before && { label: 'Undo', run: () => void action.run(before).then(reload) },
      );
    }
  };
}
