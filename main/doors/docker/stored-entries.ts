import { type Refusal, refuse } from '../../contract/refusal.ts';
import type { RegistryServer } from '../../domain/image/registry-server.ts';
import type { TargetName } from '../../domain/target/target.ts';
import type { Gate } from '../../ports/broker-core.ts';
import type { Recorder } from '../../ports/history.ts';
import type { RegistryLogin, Vault, VaultContent } from '../../ports/vault.ts';
import type { ConfiguredRegistries, ConfiguredRegistry } from './configured-registries.ts';
import type { FallbackStore } from './fallback-store.ts';
import { storedKind } from './stored-kind.ts';

/** What all actions of the docker door need. */
export interface DockerDoorDeps {
  vault: Pick<Vault, 'read' | 'update' | 'hasRegistryLogin'>;
  configured: ConfiguredRegistries;
  fallback: FallbackStore;
  gate: Gate;
  recorder: Recorder;
}

export function storedName({ key }: RegistryServer): TargetName {
  return { kind: storedKind, name: key };
}

export function entryIn({ registryLogins }: VaultContent, { key }: RegistryServer): RegistryLogin | null {
  // A host may be called as what every object has: `constructor`.
  return Object.hasOwn(registryLogins, key) ? (registryLogins[key] ?? null) : null;
}

/** docker changes no registry of config.yaml. */
export function isConfigured({ name }: ConfiguredRegistry, { key }: RegistryServer, done: string): Refusal {
  return refuse(
    'notPermitted',
    'docker.configured',
    `${key} gets its credential from the registry ${name} of config.yaml: nothing was ${done}`,
  );
}

export function badInput(message: string): Refusal {
  return refuse('usage', 'docker.input', message);
}
