import { beforeEach, expect, it } from 'vitest';
import { refuse } from '../contract/refusal.ts';
import { RegistryPatterns } from '../domain/image/registry-choice.ts';
import type { LoadedRegistry } from '../domain/loaded-config.ts';
import type { Account, AccountState } from '../ports/account.ts';
import { imageWhy } from './image-why.ts';

const registry = (name: string, matchImages: string[], calledAs?: string): LoadedRegistry => ({
  name,
  config: { matchImages, account: `${name}-bot`, approval: 'never', cacheDuration: '0s', calledAs },
  certificateAuthorityPem: null,
});
const registries = [
  registry('all', ['ghcr.io']),
  registry('team', ['ghcr.io/team']),
  registry('work', ['ghcr.io'], 'work'),
  registry('azure', ['*.azurecr.io']),
];
let accountState: Pick<AccountState, 'state' | 'problem' | 'kind' | 'subject'>;
beforeEach(() => {
  accountState = { state: 'ready', problem: null, kind: 'registry', subject: 'robot' };
});
const directory = {
  account: (name: string) =>
    ({ ok: true, account: { name, state: async () => accountState } as unknown as Account }) as const,
  registries: () => registries,
  registryPatterns: () => new RegistryPatterns(registries),
  registry: (name: string) => {
    const found = registries.find((each) => each.name === name);
    return found && name !== 'azure'
      ? ({ ok: true, registry: found } as const)
      : refuse('notPermitted', 'registry.pending', `${name} is pending approval`);
  },
};

it('names the closest pattern, and why each other isn’t used', async () => {
  const answered = await imageWhy('ghcr.io/team/app:1.2', directory);
  expect(answered.ok && answered.why).toEqual({
    image: 'ghcr.io/team/app',
    chosen: { registry: 'team', account: 'team-bot', pattern: 'ghcr.io/team' },
    problem: null,
    patterns: [
      expect.objectContaining({
        registry: 'all',
        matches: true,
        chosen: false,
        why: 'another pattern is closer',
      }),
      expect.objectContaining({ registry: 'team', matches: true, chosen: true, why: '' }),
      expect.objectContaining({ registry: 'work', why: 'only for docker-credential-lanyard-work' }),
      expect.objectContaining({
        registry: 'azure',
        matches: false,
        why: 'its host has 3 parts, the image’s has 2 parts',
      }),
    ],
  });
});

it('tells why the chosen registry can’t be used, and when there is none', async () => {
  const pending = await imageWhy('corp.azurecr.io/app', directory);
  expect(pending.ok && pending.why).toMatchObject({
    chosen: { registry: 'azure' },
    problem: 'azure is pending approval',
  });
  const none = await imageWhy('nginx', directory);
  expect(none.ok && none.why).toMatchObject({
    image: 'docker.io/library/nginx',
    chosen: null,
    problem: null,
  });
});

it.each([
  [{ state: 'failing', problem: 'exit status 3: no role' }, 'exit status 3: no role'],
  [{ state: 'loginNeeded', problem: null }, 'team-bot needs a login'],
  [{ state: 'locked', problem: null }, 'team-bot is locked'],
  [
    { subject: null },
    'team-bot has an identity token, which a kubelet can’t pass on: it takes a user name and a password. docker gets it',
  ],
  [{ kind: 'oidc' }, expect.stringContaining('has an identity token')],
  [{ kind: 'credentialProvider', subject: null }, null],
] as const)('tells why its account gives none now: %o', async (state, problem) => {
  accountState = { ...accountState, ...state };
  const answered = await imageWhy('ghcr.io/team/app', directory);
  expect(answered.ok && answered.why).toMatchObject({ chosen: { registry: 'team' }, problem });
});

it('refuses what is no image', async () => {
  expect(await imageWhy('No Image', directory)).toMatchObject({ ok: false, code: 'image.name' });
});
