import type { AgentOptions } from '../../support/agent.ts';
import { startAppAgent } from '../../support/electron/app-agent.ts';
import { type DesktopWindow, openDesktopDialog, openDesktopWindow } from './desktop-window.ts';
import type { WindowedAgent } from './windowed-agent.ts';

/** The built app as a program on the stand-in, and its window in Chromium (desktop-window.ts says what that can't show). */
export async function startStandInAgent(options: AgentOptions): Promise<WindowedAgent> {
  const agent = await startAppAgent(options);
  const { app } = agent;
  let window: DesktopWindow | null = null;
  let isTaken = false;
  return {
    ...agent,
    async takeWindow(browser, look) {
      if (isTaken) {
        return null;
      }
      isTaken = true;
      // A second start of the app is a person's way to its window.
      await app.evaluate(({ app: electron }) => void electron.happen('second-instance', [], '', null));
      const taken = await openDesktopWindow(app, browser, look);
      window = taken;
      return {
        ...taken,
        async close() {
          isTaken = false;
          await taken.close();
        },
      };
    },
    dialog: (browser, begin) => openDesktopDialog(app, browser, begin),
    async dispose() {
      await window?.close();
      await agent.dispose();
    },
  };
}
