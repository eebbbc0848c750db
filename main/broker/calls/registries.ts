import { createRegistryCalls } from '../../doors/ui/calls/registry-calls.ts';
import { createConfigEntries } from '../../operations/config-entries.ts';
import type { Areas } from '../areas.ts';

export function registryCalls(areas: Areas) {
  const { config, vault, clock, history } = areas.deps;
  const { bindings } = areas.served;
  const { recorder } = areas.records;
  const { directory, grants } = areas.credentials;
  return createRegistryCalls({
    directory,
    gate: areas.locking.gate,
    peek: (account, target, signal) => grants.peek(account, target, signal),
    history,
    entries: createConfigEntries('registry', { config, bindings, clock, vault, recorder }),
    config,
    bindings,
    vault,
  });
}
