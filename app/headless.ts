import { BrokerError } from '../main/contract/broker-error.ts';
import { runHeadless as runAgentOrDoctor } from '../main/start/run-agent.ts';
import { appFiles, type Places } from './files.ts';
import { placeWords } from './life/move-to-applications.ts';
import { type PlaceOfAppDeps, placeOfApp } from './life/place-of-app.ts';
import type { PassingPlace } from './passing-place.ts';
import { type StartCommandsDeps, startCommands } from './start-commands.ts';

export interface HeadlessOptions extends StartCommandsDeps {
  app: StartCommandsDeps['app'] & PlaceOfAppDeps['app'];
  places: Places;
  /** The arguments of `lanyard agent`, or `doctor` and its own. */
  args: string[];
}

/**
 * `lanyard agent` and `lanyard doctor` of an installed app. Uses no window or tray, and only Node of Electron. Await
 * it while the entry is evaluated: Electron becomes ready only after that, so it never does. So the dock gets no
 * icon, Chromium starts no processes, and Electron sets no signal handlers.
 */
export async function runHeadless({ places, args, ...deps }: HeadlessOptions): Promise<never> {
  return runAgentOrDoctor({
    files: appFiles(places),
    commands: startCommands(deps),
    refusal: refusalAt(placeOfApp(deps)),
    args,
    env: deps.env,
  });
}

/** What `lanyard agent` says where the app runs from a place that passes. */
export function refusalAt(place: PassingPlace | null): BrokerError | null {
  return place === null
    ? null
    : new BrokerError('app.place', `${placeWords[place]}: it would be gone at the next start`, {
        reason: 'usage',
        hint: 'drag Lanyard to the Applications folder in the Finder, and open it there',
      });
}
