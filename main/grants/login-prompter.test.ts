import { expect, test } from 'vitest';
import { Secret } from '../base/secret.ts';
import { terminalPrompter } from './login-prompter.ts';

const url = 'https://id.example.com/auth?state=1';

/** A user at a terminal who gives these answers in turn. */
function bench(answers: readonly (string | null)[]) {
  const said: string[] = [];
  const asked: { question: string; echo: boolean }[] = [];
  const brought: string[] = [];
  const over = new AbortController();
  const left = [...answers];
  const terminal = {
    print: (text: string) => void said.push(text),
    extend: () => undefined,
    ask: async (question: string, { echo = false }: { echo?: boolean } = {}) => {
      asked.push({ question, echo });
      const answer = left.shift() ?? null;
      return answer === null ? null : new Secret(answer);
    },
  };
  const show = (paste: boolean, opened: boolean) =>
    terminalPrompter('corp', terminal, { paste }).showBrowserPage({
      url,
      opened,
      failed: null,
      trouble: null,
      expiresInSeconds: 300,
      over: over.signal,
      bring: (address) => {
        brought.push(address.reveal());
        return address.reveal() === 'right';
      },
    });
  return { show, said, asked, brought, over };
}

test('where no browser opened, the address is asked for, unseen, until it is the right one', async () => {
  const { show, said, asked, brought } = bench(['wrong', 'right', 'never asked']);
  show(true, false);
  await expect.poll(() => brought).toEqual(['wrong', 'right']);
  expect(asked).toEqual(Array(2).fill({ question: 'Paste the address here (not shown): ', echo: false }));
  expect(said[0]).toContain(url);
  expect(said.join()).not.toMatch(/wrong|right/);
});

test.each([
  [false, false],
  [true, true],
])('it isn’t asked for with paste %s where a browser opened is %s', async (paste, opened) => {
  const { show, asked, said } = bench(['right']);
  show(paste, opened);
  await new Promise(setImmediate);
  expect([asked, said.length]).toEqual([[], 1]);
});

test('nor once the login has ended, or without an answer', async () => {
  const late = bench(['wrong', 'wrong']);
  late.over.abort();
  late.show(true, false);
  const gone = bench([null, 'right']);
  gone.show(true, false);
  await new Promise(setImmediate);
  expect([late.asked.length, gone.asked.length, gone.brought]).toEqual([0, 1, []]);
});
