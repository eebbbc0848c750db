import { afterAll, beforeAll, expect, test } from 'vitest';
import { credentialIn, Stage } from '../support/stage.ts';

/** A login whose browser runs on another machine: its last address is pasted at the terminal. */
let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage?.dispose());

test('lanyard login --paste: the page is opened elsewhere, and what it ends at is pasted unseen', async () => {
  const terminal = stage.onTerminal(['login', 'corp', '--paste']);
  const shown = await terminal.waitForText(/^ {2}(https:\S+)\s/m);
  const [, url = ''] = /^ {2}(https:\S+)\s/m.exec(shown) ?? [];
  await terminal.waitForText('Paste the address here');
  terminal.send('http://127.0.0.1/callback?code=other\r');
  await terminal.waitForText('not the address');
  const address = await stage.provider.person.callbackOf(url);
  terminal.send(`${address}\r`);
  expect(await terminal.ended).toMatchObject({ code: 0 });
  expect(terminal.shown()).toContain('Logged in to corp as alice@example.com.');
  const code = new URL(address).searchParams.get('code') ?? '';
  expect(code).not.toBe('');
  expect(terminal.shown() + stage.agentLogs()).not.toContain(code);
  expect(credentialIn(await stage.ask('corp')).token).toBeDefined();
});

test('without a terminal there is nowhere to paste', async () => {
  expect(await stage.lanyard(['login', 'corp', '--paste'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--paste'),
  });
});
