import { z } from 'zod';
import { defineCalls } from '../call.ts';

const nothing = z.object({});

/** Calls for the desktop app around the broker. Without it, refused as `desktop.none`. */
export const desktopCalls = defineCalls({
  'desktop.setStartAtLogin': { input: z.object({ on: z.boolean() }), output: nothing },
  /** `minutes` null: ends a pause. `asks`: a dialog asks the user first, and the pause begins with their Yes. */
  'desktop.pauseNotifications': {
    input: z.object({
      minutes: z
        .int()
        .min(1)
        .max(7 * 24 * 60)
        .nullable(),
    }),
    output: z.object({ asks: z.boolean() }),
  },
  /** Checks the feed for a newer version; the state has the result. */
  'desktop.checkForUpdate': { input: nothing, output: nothing },
  /** Fetches and verifies the version that was found; the state has the progress. */
  'desktop.fetchUpdate': { input: nothing, output: nothing },
  /** Quits the app and starts the new version. Refused as `update.busy` while a login or a question is under way. */
  'desktop.installUpdate': { input: nothing, output: nothing },
  /** Opens the system’s file dialog for kubeconfigs. The page gets the chosen paths; none: the user cancelled it. */
  'desktop.chooseFiles': { input: nothing, output: z.object({ files: z.array(z.string()) }) },
});
