import { z } from 'zod';
import { defineCalls } from '../call.ts';

const nothing = z.object({});

/** Of the desktop app around the broker: refused as `desktop.none` by a headless one. */
export const desktopCalls = defineCalls({
  'desktop.setStartAtLogin': { input: z.object({ on: z.boolean() }), output: nothing },
  /** `minutes` null: they are told again. `asks`: a window asks the person for a pause, which begins with their Yes. */
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
  /** Asks the feed for a newer version; the state says what was found. */
  'desktop.checkForUpdate': { input: nothing, output: nothing },
  /** Fetches and checks the version that was found; the state shows how far it is. */
  'desktop.fetchUpdate': { input: nothing, output: nothing },
  /** Ends the app and starts the new one; refused as `update.busy` while a login or a question is under way. */
  'desktop.installUpdate': { input: nothing, output: nothing },
});
