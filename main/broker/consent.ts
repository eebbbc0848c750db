import type { Disposables } from '../base/disposables.ts';
import { Approvals } from '../consent/approvals/approvals.ts';
import { QuestionBoard } from '../consent/approvals/question-board.ts';
import { TerminalTurns } from '../consent/approvals/terminal-turns.ts';
import { UnknownServers } from '../consent/approvals/unknown-servers.ts';
import { createBrowserHost } from '../consent/windows/browser-host.ts';
import { createUserGate, type UserGate } from '../consent/windows/user-gate.ts';
import { createWindows, type Windows } from '../consent/windows/windows.ts';
import { createDestinationMatcher, type DestinationMatcher } from '../domain/server/destination.ts';
import { createRedirectFile } from '../platform/browser/redirect-file.ts';
import type { BrokerDeps } from './broker-deps.ts';
import type { Records } from './records.ts';
import type { Served } from './served.ts';

/** What you are asked: questions at a terminal and in pages, and Lanyard’s own windows. */
export interface Consent {
  destination: DestinationMatcher;
  board: QuestionBoard;
  approvals: Approvals;
  unknownServers: UnknownServers;
  person: UserGate;
  windows: Windows;
}

export async function createConsent(
  deps: BrokerDeps,
  { bindings }: Served,
  { recorder }: Records,
  disposables: Disposables,
): Promise<Consent> {
  const { clock, log, config, paths, browser, lookUpPeer, windowHost, userCheck } = deps;
  const destination = createDestinationMatcher();
  const yesInWindow = windowHost?.decidesAll ?? false;
  const board = disposables.add(new QuestionBoard(clock, { yesInWindow }));
  const asking = { clock, recorder, turns: new TerminalTurns(), board };
  const approvals = new Approvals(asking);
  const unknownServers = new UnknownServers({ ...asking, config, bindings, destination });
  const redirect = disposables.add(createRedirectFile({ file: paths.windowRedirect, browser, clock }));
  await redirect.remove();
  const host =
    windowHost ?? disposables.add(createBrowserHost({ clock, log, browser, redirect, lookUpPeer }));
  const person = createUserGate({ check: userCheck, settings: () => bindings.settings() });
  const windows = disposables.add(createWindows({ clock, log, host, person }));
  return { destination, board, approvals, unknownServers, person, windows };
}
