import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { Secret } from '../../base/secret.ts';
import type { RegistryServer } from '../../domain/image/registry-server.ts';
import { loadedRegistry } from '../../domain/testing/loaded.ts';
import { Grant } from '../../grants/grant.ts';
import type { HistoryEvent } from '../../ports/history.ts';
import { commandCall } from '../cli/testing/command-call.ts';
import type { RegistryCredentialDeps } from '../registry-credential.ts';
import { configRegistries } from './config-registries.ts';

const clock = new ManualClock();
const server: RegistryServer = { scheme: 'https', host: 'ghcr.io', port: null, path: '', key: 'ghcr.io' };
const registry = loadedRegistry('work', { matchImages: ['ghcr.io'], account: 'hub' });

// Without both, podman would take it for no credential, and docker would send it.
test.each([
  ['a user name alone', 'handedOut', 'robot', '', 'robot:'],
  ['a password alone', 'handedOut', '', 'token', ':token'],
  ['neither', 'noCredential', '', '', ''],
])('a credential of %s is %s', async (_, outcome, userName, password, text) => {
  const credential = {
    token: null,
    certificate: null,
    password: { userName, password: new Secret(password) },
    issuedAt: null,
    expiresAt: null,
  };
  const recorded: HistoryEvent[] = [];
  const registries = configRegistries({
    gate: () => null,
    directory: {
      registryFor: () => ({ ok: true, match: { registry, authKey: 'ghcr.io' } }),
      registry: () => ({ ok: true, registry }),
      account: () => ({ ok: true, account: { name: 'hub' } }),
    },
    approvals: { approve: async () => ({ ok: true, waited: false }) },
    grants: { obtain: async () => ({ ok: true, grant: new Grant(credential, 1, clock), how: 'held' }) },
    recorder: { record: (event: HistoryEvent) => void recorded.push(event) },
    clock,
  } as unknown as RegistryCredentialDeps);
  const format = (user: string, secret: Secret) => `${user}:${secret.reveal()}`;
  expect(await registries.find(server, null)?.answer(commandCall([]), format)).toMatchObject({ text });
  expect(recorded).toMatchObject([{ kind: 'call', outcome }]);
});
