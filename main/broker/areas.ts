import type { StatusReader } from '../access/status.ts';
import type { PluginReader } from '../accounts/plugins/report.ts';
import type { createClusterAccess } from '../doctor/cluster-access.ts';
import type { UndoneEdit } from '../domain/undone-edit.ts';
import type { DockerConfigs } from '../installed/docker/docker-configs.ts';
import type { DockerWatch } from '../installed/docker/docker-watch.ts';
import type { CommandTools } from '../operations/command-tools.ts';
import type { InventoryFiguresReader } from '../operations/inventories/inventory-figures.ts';
import type { ProfileIndex } from '../operations/inventories/profile-index.ts';
import type { RequestProxyControl } from '../proxy/request-proxy.ts';
import type { RegistryQuestion, RegistryVerdict } from '../registries/registry-question.ts';
import type { BrokerDeps } from './broker-deps.ts';
import type { Consent } from './consent.ts';
import type { Credentials } from './credentials.ts';
import type { Kubeconfigs } from './kubeconfigs.ts';
import type { Locking } from './locking.ts';
import type { Records } from './records.ts';
import type { Served } from './served.ts';

/** The broker's areas, each made in the file of its name; commands and calls take from them what they need. */
export interface Areas {
  deps: BrokerDeps;
  served: Served;
  records: Records;
  credentials: Credentials;
  consent: Consent;
  locking: Locking;
  kubeconfigs: Kubeconfigs;
  requestProxy: RequestProxyControl;
  profiles: ProfileIndex;
  status: StatusReader;
  inventoryFigures: InventoryFiguresReader;
  plugins: PluginReader;
  clusters: ReturnType<typeof createClusterAccess>;
  askRegistry(question: RegistryQuestion, signal: AbortSignal): Promise<RegistryVerdict>;
  tools: CommandTools;
  docker: DockerConfigs;
  dockerWatch: DockerWatch;
  /** Edits of Lanyard’s in the user’s files that other programs have undone, as they are now. */
  undone(): Promise<readonly UndoneEdit[]>;
}

/** Forgets what was issued for an account, and what was approved for it. */
export function forgetWithAnswers({ credentials, consent }: Areas, account: string): void {
  consent.approvals.forgetAccount(account);
  credentials.grants.forget(account);
}
