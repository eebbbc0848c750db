import { expect, it } from 'vitest';
import { BrokerError } from '../contract/broker-error.ts';
import { parseDockerConfig } from '../installed/docker/docker-config.ts';
import type { DockerConfigs } from '../installed/docker/docker-configs.ts';
import { dockerOffer } from './docker-offer.ts';

const canary = 'password-canary-of-docker';

function docker(text: string | null, plan: DockerConfigs['plan']): Pick<DockerConfigs, 'state' | 'plan'> {
  const parsed = text === null ? null : parseDockerConfig(text);
  return {
    state: async () => {
      if (parsed && !parsed.ok) {
        throw new BrokerError('docker.unreadable', `config.json ${parsed.fault}`, { reason: 'usage' });
      }
      return {
        config: parsed?.config ?? null,
        edit: null,
        changedSince: false,
        undone: null,
        canUndo: false,
      };
    },
    plan,
  };
}

const auths = JSON.stringify({
  auths: { 'ghcr.io': { auth: Buffer.from(`me:${canary}`).toString('base64') }, 'quay.io': {} },
});
const refused = (reason: 'notPermitted' | 'locked') => async () => {
  throw new BrokerError('docker.otherStore', 'config.json names another store', { reason });
};

it('is none without a file', async () => {
  expect(await dockerOffer('/d/config.json', docker(null, refused('locked')))).toBeNull();
});

it('says why it can’t be done, what is in plain text all the same, and no secret', async () => {
  const offer = await dockerOffer('/d/config.json', docker(auths, refused('notPermitted')));
  expect(offer).toMatchObject({
    plaintext: ['ghcr.io'],
    moves: [],
    fault: { message: 'config.json names another store', hint: null },
  });
  expect(JSON.stringify(offer)).not.toMatch(/canary|me:/);
  const broken = await dockerOffer('/d/config.json', docker('{', refused('locked')));
  expect(broken).toMatchObject({ plaintext: [], fault: { message: expect.stringContaining('JSON') } });
});

it('fails while the vault is locked', async () => {
  await expect(dockerOffer('/d/config.json', docker(auths, refused('locked')))).rejects.toThrow();
});
