import type { ExecPluginConfig } from '../../contract/config/accounts/exec-plugin.ts';
import type { LoadedAccount } from '../../domain/loaded-config.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Recorder } from '../../ports/history.ts';
import type { PluginPrograms } from '../../ports/plugin-programs.ts';
import type { ProgramRunner } from '../../ports/program-runner.ts';
import type { Vault } from '../../ports/vault.ts';
import type { PluginMemory } from '../plugins/memory.ts';

export interface ExecPluginDeps {
  account: LoadedAccount;
  vault: Pick<Vault, 'read'>;
  clock: Clock;
  recorder: Recorder;
  programs: PluginPrograms;
  memory: Pick<PluginMemory, 'note' | 'lastOf'>;
  /** One that runs in the broker, without a terminal. */
  runProgram(): ProgramRunner;
  /** The broker's own environment. */
  environment: Readonly<Record<string, string | undefined>>;
}

/** The dependencies together with the account’s configuration. */
export interface PluginParts extends ExecPluginDeps {
  config: ExecPluginConfig;
}
