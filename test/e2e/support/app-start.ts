import type { AgentOptions } from '../../support/agent.ts';
import { startElectronAgent } from './electron-agent.ts';
import { startStandInAgent } from './stand-in-agent.ts';
import type { WindowedAgent } from './windowed-agent.ts';

const ways: Readonly<Record<string, (options: AgentOptions) => Promise<WindowedAgent>>> = {
  electron: startElectronAgent,
  'stand-in': startStandInAgent,
};

/** How a stage's broker is started where the specs run on the desktop app: LANYARD_E2E says on which. */
export const appStart = ways[process.env['LANYARD_E2E'] ?? ''];

/** For `test.skipIf`: of the page that `lanyard ui` opens alone. */
export const isInApp = appStart !== undefined;
