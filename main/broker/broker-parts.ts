import type { AccountRegistry } from '../access/account-registry.ts';
import type { Bindings } from '../access/bindings.ts';
import type { IdleLock } from '../access/idle-lock.ts';
import type { Lock } from '../access/lock.ts';
import type { StatusReader } from '../access/status.ts';
import type { BoundPrograms } from '../accounts/plugins/bound-programs.ts';
import type { PluginMemory } from '../accounts/plugins/memory.ts';
import type { Approvals } from '../consent/approvals/approvals.ts';
import type { QuestionBoard } from '../consent/approvals/question-board.ts';
import type { UnknownServers } from '../consent/approvals/unknown-servers.ts';
import type { PersonGate } from '../consent/windows/person-gate.ts';
import type { Windows } from '../consent/windows/windows.ts';
import type { UiCommandDeps } from '../doors/cli/tools/ui-command.ts';
import type { Grants } from '../grants/grants.ts';
import type { Logins } from '../grants/logins.ts';
import type { Metrics } from '../history/metrics/create-metrics.ts';
import type { ScrapeEndpoint } from '../history/metrics/scrape-endpoint.ts';
import type { ContextsWatch } from '../kubeconfig/watch/contexts-watch.ts';
import type { KubeconfigWatch } from '../kubeconfig/watch/kubeconfig-watch.ts';
import type { KubeconfigStateFile } from '../kubeconfig/watch/state-file.ts';
import type { CommandTools } from '../operations/command-tools.ts';
import type { PluginLook } from '../platform/programs/plugin-look.ts';
import type { Gate } from '../ports/broker-core.ts';
import type { ConfigInForce } from '../ports/config-store.ts';
import type { Recorder } from '../ports/history.ts';
import type { createAccountMaker } from './account-maker.ts';
import type { BrokerDeps } from './broker-deps.ts';
import type { Importing } from './importing.ts';

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
