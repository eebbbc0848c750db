import { Bindings } from '../access/bindings.ts';
import { type BoundPrograms, createBoundPrograms } from '../accounts/plugins/bound-programs.ts';
import { bindingsOf } from '../domain/program/program-check.ts';
import {
  createPluginInspector,
  type InspectPlugin,
  inspectPlugins,
} from '../platform/programs/inspect-plugin.ts';
import type { ActiveConfig } from '../ports/config-store.ts';
import type { BrokerDeps } from './broker-deps.ts';

/** What was approved, and what is active while a change is pending approval (rule: confirmed-binding). */
export interface Served {
  bindings: Bindings;
  /** The active configuration; the broker's `config` is the file's, with what is pending. */
  serving: ActiveConfig;
  look: InspectPlugin;
  programs: BoundPrograms;
}

export function createServed({ config, vault, clock, isWrittenByOthers }: BrokerDeps): Served {
  const look = createPluginInspector(isWrittenByOthers);
  const bindings: Bindings = new Bindings({
    config,
    vault,
    programs: async (accounts) => bindingsOf(await inspectPlugins(look, accounts)),
  });
  const serving: ActiveConfig = {
    file: config.file,
    current: () => bindings.activeConfig(),
    problems: () => config.problems(),
  };
  const isServed = (name: string) => bindings.isServed('account', name);
  const programs = createBoundPrograms({ vault, look, config: serving, clock, isServed });
  return { bindings, serving, look, programs };
}
