import { expect, test } from 'vitest';
import { commandCall } from '../testing/command-call.ts';
import { uiCommand } from './ui-command.ts';

const address = 'http://127.0.0.1:4711/#ticket=ID.SECRET';

async function run(
  args: string[],
  { display = true, opens = true, origin = 'local' as 'local' | 'ssh' | 'container' } = {},
) {
  const opened: string[] = [];
  const answer = await uiCommand({
    web: { invite: async () => ({ address, port: 4711, done: Promise.resolve() }) },
    browser: { available: () => display },
    redirect: {
      open: async (what) => {
        opened.push(what);
        return opens;
      },
    },
  })(commandCall(args, { origin }));
  return { ...answer, opened };
}

test('opens the page, and prints nothing that lets anybody in', async () => {
  const answer = await run([]);
  expect(answer).toMatchObject({ code: 0, opened: [address] });
  expect(answer.stdout).toBeUndefined();
  expect(answer.stderr).not.toContain('SECRET');
});

test.each<[string, string[], Parameters<typeof run>[1], boolean]>([
  ['with --no-open', ['--no-open'], {}, false],
  ['without a display', [], { display: false }, false],
  ['over SSH', [], { origin: 'ssh' }, false],
  ['in a container', [], { origin: 'container' }, false],
  ['where nothing could be opened', [], { opens: false }, true],
])('prints the address, and how to reach it from elsewhere: %s', async (_, args, given, tried) => {
  const answer = await run(args, given);
  expect(answer).toMatchObject({ code: 0, stdout: `${address}\n` });
  expect(answer.stderr).toMatch(/^[^\n]*ssh -L 4711:127\.0\.0\.1:4711[^\n]*\n$/);
  expect(answer.opened).toEqual(tried ? [address] : []);
});

test('a word that doesn’t belong is refused before anything listens', async () => {
  await expect(run(['--open'])).rejects.toMatchObject({ code: 'cli.usage' });
});
