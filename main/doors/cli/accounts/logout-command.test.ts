import { describe, expect, test } from 'vitest';
import { refuse } from '../../../contract/refusal.ts';
import type { Account, LoggedOut } from '../../../ports/account.ts';
import type { HistoryEvent } from '../../../ports/history.ts';
import { commandCall } from '../testing/command-call.ts';
import { logoutCommand } from './logout-command.ts';

const page = 'https://id.example.com/logout?client_id=kubernetes';
const loggedOut: LoggedOut = { hadSession: true, revocation: 'revoked', endSessionUrl: page };

function run(
  args: string[],
  outcome: LoggedOut,
  more: { display?: boolean; origin?: 'local' | 'ssh'; held?: boolean } = {},
) {
  const programs: unknown[] = [];
  const opened: string[] = [];
  const forgotten: string[] = [];
  const recorded: HistoryEvent[] = [];
  const here: unknown[] = [];
  const account = {
    name: 'corp',
    logout: async (_: unknown, options: unknown) => {
      here.push(options);
      return outcome;
    },
  } as unknown as Account;
  const command = logoutCommand({
    directory: {
      account: () => (more.held ? refuse('denied', 'config.held', 'held') : { ok: true, account }),
      peekAccount: () => account,
    },
    logins: { cancel: () => undefined, forget: () => undefined },
    grants: { forget: (name: string) => void forgotten.push(name) } as never,
    recorder: { record: (event) => void recorded.push(event) },
    gate: () => null,
    browser: {
      finds: async () => true,
      available: () => more.display ?? true,
      open: async (url, program) => {
        opened.push(url);
        programs.push(program);
        return true;
      },
    },
  });
  return command(commandCall(args, { origin: more.origin ?? 'local' })).then((answer) => ({
    ...answer,
    opened,
    programs,
    here,
    forgotten,
    recorded,
  }));
}

test.each<[LoggedOut['revocation'], RegExp]>([
  ['revoked', /^Logged out of corp\. The provider has revoked its tokens\.\n$/],
  ['notOffered', /^Logged out of corp\. The provider revokes no tokens/],
  ['failed', /^Logged out of corp on this machine\. Its tokens could not be revoked/],
  ['nothing', /^Logged out of corp\.\n$/],
])('says what became of the tokens at the provider: %s', async (revocation, text) => {
  const answer = await run(['corp'], { ...loggedOut, revocation });
  expect(answer).toMatchObject({ code: 0, stderr: expect.stringMatching(text), opened: [] });
  expect(answer.forgotten).toContain('corp');
  expect(answer.recorded).toEqual([{ kind: 'logout', account: 'corp', hadSession: true, revocation }]);
});

test('no one was logged in', async () => {
  const answer = await run(['corp'], { hadSession: false, revocation: 'nothing', endSessionUrl: null });
  expect(answer).toMatchObject({ code: 0, stderr: 'corp was not logged in.\n' });
});

test('an account that no one has approved as it is is logged out here alone', async () => {
  expect(await run(['corp'], loggedOut)).toMatchObject({ here: [{ isHere: false }] });
  expect(await run(['corp'], loggedOut, { held: true })).toMatchObject({ code: 0, here: [{ isHere: true }] });
});

describe('--everywhere', () => {
  test('opens the provider’s page on this machine’s display', async () => {
    const answer = await run(['corp', '--everywhere'], loggedOut);
    expect(answer.opened).toEqual([page]);
    expect(answer.stderr).toContain('was opened in the browser');
  });

  test('in the account’s own browser', async () => {
    const outcome: LoggedOut = { ...loggedOut, browser: ['firefox', '-P', 'work'] };
    expect(await run(['corp', '--everywhere'], outcome)).toMatchObject({
      opened: [page],
      programs: [['firefox', '-P', 'work']],
    });
  });

  test.each([{ display: false }, { origin: 'ssh' as const }])(
    'prints it where no one would see it: %j',
    async (at) => {
      const answer = await run(['corp', '--everywhere'], loggedOut, at);
      expect(answer.opened).toEqual([]);
      expect(answer.stderr).toContain(page);
    },
  );

  test('says where there is none', async () => {
    const answer = await run(['corp', '--everywhere'], { ...loggedOut, endSessionUrl: null });
    expect(answer.stderr).toContain('names no page that ends its session');
  });
});
