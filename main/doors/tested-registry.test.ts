import { expect, test } from 'vitest';
import { Secret } from '../base/secret.ts';
import { registry as registrySchema } from '../contract/config/registry.ts';
import { refuse } from '../contract/refusal.ts';
import { registryCalls } from '../contract/ui/calls/registries.ts';
import { RegistryPatterns } from '../domain/image/registry-choice.ts';
import { loadedRegistry } from '../domain/testing/loaded.ts';
import type { Account, Credential } from '../ports/account.ts';
import type { RegistryQuestion } from '../registries/registry-question.ts';
import { type TestedRegistryDeps, testedRegistry } from './tested-registry.ts';

const credential: Credential = {
  token: null,
  certificate: null,
  password: { userName: 'robot', password: new Secret('canary-password') },
  issuedAt: null,
  expiresAt: 1000,
};

function stage(entry: object, more: Partial<TestedRegistryDeps> = {}) {
  const registry = loadedRegistry('r', { account: 'bot', ...entry });
  const questions: RegistryQuestion[] = [];
  const deps: TestedRegistryDeps = {
    gate: () => null,
    directory: {
      account: () => ({ ok: true, account: { name: 'bot' } as Account }),
      registry: () => ({ ok: true, registry }),
      registryFor: (image) => ({ ok: true, match: new RegistryPatterns([registry]).find(image)[0] ?? null }),
    },
    peek: async () => ({ ok: true, credential }),
    askRegistry: async (question) => {
      questions.push(question);
      return { kind: 'accepted', tokenServer: null, image: null };
    },
    ...more,
  };
  const run = (image: string | null) => testedRegistry('r', image, deps, new AbortController().signal);
  return { run, questions, deps };
}

test('the credential goes to the registry of the pattern, with its approved token servers', async () => {
  const { run, questions } = stage({ matchImages: ['ghcr.io'], tokenServers: ['auth.example.com'] });
  const output = await run(null);
  expect(registryCalls['registry.test'].output.parse(output)).toEqual(output);
  expect(output).toMatchObject({
    credential: { userName: 'robot', expiresAt: 1000 },
    answer: { outcome: 'accepted', message: 'ghcr.io accepts the credential of bot', hint: null },
  });
  expect(questions).toMatchObject([{ host: 'ghcr.io', image: null, tokenServers: ['auth.example.com'] }]);
  expect(JSON.stringify(output)).not.toContain('canary');
});

test('without a credential the registry is not asked', async () => {
  const { run, questions } = stage(
    { matchImages: ['ghcr.io'] },
    { peek: async () => refuse('loginNeeded', 'x', 'log in', 'lanyard login bot') },
  );
  expect(await run(null)).toMatchObject({
    nothing: { message: 'log in', hint: 'lanyard login bot' },
    answer: null,
  });
  expect(questions).toEqual([]);
});

/** (rule: approval-outside-page) */
test('a page chooses no host for a credential that needs approval', async () => {
  const asking = stage({ matchImages: ['*.azurecr.io'], approval: 'always' });
  await expect(asking.run('evil.azurecr.io/app')).rejects.toMatchObject({ code: 'registry.asks' });
  expect(asking.questions).toEqual([]);
  const open = stage({ matchImages: ['*.azurecr.io'] });
  await open.run('corp.azurecr.io/app');
  expect(open.questions).toMatchObject([{ host: 'corp.azurecr.io' }]);
  const named = stage({ matchImages: ['ghcr.io'], approval: 'always' });
  await named.run('ghcr.io/app');
  expect(named.questions).toMatchObject([{ host: 'ghcr.io' }]);
});

test('a plugin’s credential, which is for its last image, goes to no second host', async () => {
  const account = { name: 'bot', shapedBy: async () => expect.unreachable() } as unknown as Account;
  const wide = stage({ matchImages: ['*.dkr.example.com'] });
  wide.deps.directory.account = () => ({ ok: true, account });
  await expect(wide.run('b.dkr.example.com/app')).rejects.toMatchObject({ code: 'registry.otherHost' });
  expect(wide.questions).toEqual([]);
  const single = stage({ matchImages: ['a.dkr.example.com'] });
  single.deps.directory.account = () => ({ ok: true, account });
  await single.run(null);
  expect(single.questions).toHaveLength(1);
});

/** (rule: locked-issues-nothing, confirmed-binding) */
test('nothing is sent where it was locked, or the registry changed, while a credential was renewed', async () => {
  let locked = false;
  const shut = stage(
    { matchImages: ['ghcr.io'] },
    {
      gate: () => (locked ? refuse('locked', 'vault.locked', 'locked') : null),
      peek: async () => {
        locked = true;
        return { ok: true, credential };
      },
    },
  );
  await expect(shut.run(null)).rejects.toMatchObject({ code: 'vault.locked' });
  expect(shut.questions).toEqual([]);
  const changing = stage({ matchImages: ['ghcr.io'] });
  const config = registrySchema.parse({ account: 'bot', matchImages: ['evil.example'] });
  changing.deps.peek = async () => {
    changing.deps.directory.registry = () => ({
      ok: true,
      registry: { name: 'r', config, certificateAuthorityPem: null },
    });
    return { ok: true, credential };
  };
  await expect(changing.run(null)).rejects.toMatchObject({ code: 'target.changed' });
  expect(changing.questions).toEqual([]);
});
