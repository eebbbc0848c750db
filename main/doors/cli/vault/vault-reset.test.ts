import { expect, test } from 'vitest';
import { FakeVault } from '../../../accounts/testing/fake-vault.ts';
import { Secret } from '../../../base/secret.ts';
import { makeBackup } from '../../../kubeconfig/import/backups.ts';
import { commandCall } from '../testing/command-call.ts';
import { type VaultCommandDeps, vaultResetCommand } from './vault-commands.ts';

test('resetting an open vault names the files that could not be restored any more', async () => {
  const vault = new FakeVault();
  const backup = await makeBackup({ path: '/home/me/.kube/config', text: 'a', mode: 0o600 }, 'b', 0);
  await vault.update((content) => ({
    ...content,
    backups: [backup],
    registryLogins: { 'ghcr.io': { serverUrl: 'ghcr.io', userName: 'u', secret: new Secret('s') } },
    dockerConfigs: {
      '/home/me/.docker/config.json': {
        at: 0,
        mode: 0o600,
        before: null,
        written: [],
        credsStore: true,
        credHelpers: [],
      },
    },
  }));
  const asked: string[] = [];
  const call = commandCall([]);
  const ask = async (question: string) => {
    asked.push(question);
    return null;
  };
  const command = vaultResetCommand({ vault } as unknown as VaultCommandDeps);
  await expect(command({ ...call, terminal: { ...call.terminal, ask } })).rejects.toMatchObject({
    code: 'vault.kept',
  });
  expect(asked.join()).toContain(
    'docker’s logins for ghcr.io, what lanyard kubeconfig undo would restore of /home/me/.kube/config, and what lanyard docker undo would restore of /home/me/.docker/config.json would be out of reach',
  );
});
