import type { WindowHost } from '../consent/windows/window-host.ts';
import type { Paths } from '../domain/paths.ts';
import type { History } from '../history/index.ts';
import type { Leaving } from '../installed/leave-home.ts';
import type { Ledger } from '../installed/ledger.ts';
import type { InventoryParts } from '../inventory/open-parts.ts';
import type { ProxyEnvironment } from '../platform/network/choose-proxy.ts';
import type { IsWrittenByOthers } from '../platform/programs/rules/windows-writers.ts';
import type { Listener } from '../platform/socket/listener.ts';
import type { AccessLists } from '../ports/access-lists.ts';
import type { Browser, FileOpener } from '../ports/browser.ts';
import type { ClientProcesses } from '../ports/client-processes.ts';
import type { Clock } from '../ports/clock.ts';
import type { AccountDrafts, ConfigStore } from '../ports/config-store.ts';
import type { Desktop } from '../ports/desktop.ts';
import type { Keychain } from '../ports/keychain.ts';
import type { Log } from '../ports/log.ts';
import type { PeerIdentity } from '../ports/peer-identity.ts';
import type { LookUpPeer } from '../ports/peer-user.ts';
import type { KeepProgram } from '../ports/program-keeper.ts';
import type { ProgramRunner } from '../ports/program-runner.ts';
import type { SystemEvents } from '../ports/system-events.ts';
import type { TerminalWindows } from '../ports/terminal-windows.ts';
import type { UserCheck } from '../ports/user-check.ts';
import type { VaultControl } from '../vault/index.ts';

/** All that the broker needs from its surroundings. */
export interface BrokerDeps {
  version: string;
  paths: Paths;
  clock: Clock;
  log: Log;
  /** Null where modes count. */
  access: AccessLists | null;
  history: History;
  events: SystemEvents;
  identity: PeerIdentity;
  processes: ClientProcesses;
  /** The user whose process is at the other end of a connection over loopback. */
  lookUpPeer: LookUpPeer;
  listener: Listener;
  config: ConfigStore & AccountDrafts;
  /** What inventories list; `config` has the profiles in use as clusters. */
  inventories: InventoryParts;
  vault: VaultControl;
  keychain: Keychain;
  browser: Browser & FileOpener;
  terminals: TerminalWindows;
  /** The desktop app around this broker; null: none. */
  desktop: Desktop | null;
  /** Where the broker's own windows are shown; null: in the user's browser. */
  windowHost: WindowHost | null;
  /** The check that the user of this account is there. */
  userCheck: UserCheck;
  /** Runs programs where no caller lends its terminal: a runner for each run. */
  runProgram(): ProgramRunner;
  /** Windows only: there it tells who can change a plugin's program. */
  isWrittenByOthers?: IsWrittenByOthers;
  /** Keeps programs running that talk with the broker. */
  keepProgram: KeepProgram;
  /** What is installed outside the home. */
  ledger: Ledger;
  /** The folder of the UI's built page. */
  pages: string;
  /** The helper that came with this broker; the home has a copy. */
  ownHelper: string;
  /** The data plane of the request proxy, lanyard-proxy. */
  proxyProgram: string;
  /** What loads PKCS#11 modules, lanyard-keys. */
  keysProgram: string;
  /** The manual page's file. */
  manPage: string;
  /** Ends the broker, and removes its files from the home. */
  leave(what: Leaving): void;
  /** The broker's own environment: proxies are read from it. */
  environment: ProxyEnvironment;
}
