import { createRegistryCalls } from '../../doors/ui/calls/registry-calls.ts';
import type { Areas } from '../areas.ts';

export function registryCalls(areas: Areas) {
  const { history, clock } = areas.deps;
  const { directory, grants } = areas.credentials;
  return createRegistryCalls({
    directory,
    gate: areas.locking.gate,
    askRegistry: areas.askRegistry,
    peek: (account, target, signal) => grants.peek(account, target, signal),
    history,
    clock,
  });
}
