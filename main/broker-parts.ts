import type { createAccountMaker } from './account-maker.ts';
import type { AccountRegistry } from './account-registry.ts';
import type { Approvals } from './approvals/approvals.ts';
import type { QuestionBoard } from './approvals/question-board.ts';
import type { UnknownServers } from './approvals/unknown-servers.ts';
import type { Bindings } from './bindings.ts';
import type { BrokerDeps } from './broker-deps.ts';
import type { UiCommandDeps } from './doors/cli/ui-command.ts';
import type { Grants } from './grants/grants.ts';
import type { Logins } from './grants/logins.ts';
import type { IdleLock } from './idle-lock.ts';
import type { Importing } from './importing.ts';
import type { ContextsWatch } from './kubeconfig/watch/contexts-watch.ts';
import type { KubeconfigWatch } from './kubeconfig/watch/kubeconfig-watch.ts';
import type { KubeconfigStateFile } from './kubeconfig/watch/state-file.ts';
import type { Lock } from './lock.ts';
import type { Metrics } from './metrics/create-metrics.ts';
import type { ScrapeEndpoint } from './metrics/scrape-endpoint.ts';
import type { CommandTools } from './operations/command-tools.ts';
import type { BoundPrograms } from './plugins/bound-programs.ts';
import type { PluginMemory } from './plugins/memory.ts';
import type { Gate } from './ports/broker-core.ts';
import type { ConfigInForce } from './ports/config-store.ts';
import type { Recorder } from './ports/history.ts';
import type { PluginLook } from './programs/plugin-look.ts';
import type { StatusReader } from './status.ts';
import type { PersonGate } from './windows/person-gate.ts';
import type { Windows } from './windows/windows.ts';

/** What commands and pages stand on, besides what the broker was given. */
export interface BrokerParts extends BrokerDeps {
  metrics: Metrics;
  recorder: Recorder;
  logins: Logins;
  grants: Grants;
  bindings: Bindings;
  /** The configuration as it serves: `config` is the file's, with what is pending. */
  serving: ConfigInForce;
  scraping: ScrapeEndpoint;
  approvals: Approvals;
  lock: Lock;
  directory: AccountRegistry;
  programs: BoundPrograms;
  look: PluginLook;
  pluginMemory: PluginMemory;
  kubeconfigState: KubeconfigStateFile;
  kubeconfigWatch: KubeconfigWatch;
  contextsWatch: ContextsWatch;
  status: StatusReader;
  gate: Gate;
  idleLock: IdleLock;
  importing: Importing;
  board: QuestionBoard;
  unknownServers: UnknownServers;
  windows: Windows;
  person: PersonGate;
  tools: CommandTools;
  makeAccount: ReturnType<typeof createAccountMaker>;
  web: UiCommandDeps['web'];
  redirect: UiCommandDeps['redirect'];
  /** The kubeconfigs that the broker's own environment names, and its own. */
  watched: readonly string[];
}
