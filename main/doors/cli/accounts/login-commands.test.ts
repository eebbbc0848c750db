import { expect, test } from 'vitest';
import { refuse } from '../../../contract/refusal.ts';
import { commandCall } from '../testing/command-call.ts';
import { type LoginCommandDeps, loginCommand } from './login-commands.ts';

/** What `lanyard login NAME` logs in to, and what it says. */
async function login(name: string, accounts: readonly string[]) {
  const said: string[] = [];
  const entry = (own: string, account: string, aliases: string[] = []) => ({
    name: own,
    config: { account, aliases },
  });
  const command = loginCommand({
    gate: () => null,
    directory: {
      account: (each: string) =>
        accounts.includes(each)
          ? { ok: true, account: { name: each } }
          : refuse(each === 'waits' ? 'notPermitted' : 'notFound', 'x', `no ${each}`),
      clusters: () => [
        entry('prod-eu', 'corp', ['eu', 'ghcr']),
        entry('both', 'corp'),
        entry('waits', 'corp'),
      ],
      registries: () => [entry('ghcr', 'hub'), entry('both', 'hub')],
    },
    logins: {
      login: async ({ name: to }: { name: string }) => {
        said.push(`logs in to ${to}`);
        return { ok: true, displayName: 'dev', note: null };
      },
    },
  } as unknown as LoginCommandDeps);
  const call = commandCall([name]);
  const terminal = { ...call.terminal, print: (text: string) => void said.push(text.trimEnd()) };
  const { code, stderr } = await command({ ...call, terminal });
  return { code, lines: [...said, String(stderr).trimEnd()] };
}

test.each([
  ['an account', 'corp', ['logs in to corp', 'Logged in to corp as dev.']],
  [
    'a cluster',
    'prod-eu',
    ['prod-eu is a cluster of the account corp.', 'logs in to corp', 'Logged in to corp as dev.'],
  ],
  [
    'a cluster’s alias',
    'eu',
    ['eu is the cluster prod-eu of the account corp.', 'logs in to corp', 'Logged in to corp as dev.'],
  ],
  [
    'a registry',
    'ghcr',
    ['ghcr is a registry of the account hub.', 'logs in to hub', 'Logged in to hub as dev.'],
  ],
])('the name of %s logs in to its account, and says which', async (_, name, lines) => {
  expect(await login(name, ['corp', 'hub'])).toEqual({ code: 0, lines });
});

test('an account comes before a cluster of its name, also one that can’t be used', async () => {
  expect((await login('both', ['corp', 'hub', 'both'])).lines[0]).toBe('logs in to both');
  expect((await login('both', ['corp', 'hub'])).lines[0]).toContain('is a cluster of the account corp');
  expect(await login('waits', ['corp'])).toEqual({ code: 13, lines: ['lanyard: no waits'] });
});

test('a name that nothing has is told as that of an account', async () => {
  expect(await login('prod-uu', ['corp'])).toEqual({ code: 14, lines: ['lanyard: no prod-uu'] });
});
