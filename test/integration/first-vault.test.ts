import { existsSync, readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { startAgent } from '../support/agent.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { startOnTerminal } from '../support/pty.ts';
import { until } from '../support/stage.ts';

// Without D-Bus there is no keychain: the broker runs, and has no vault until one is made with a passphrase.

const found = { version: 1, accounts: { bot: { staticToken: {} } } };
let home: TestHome;
let passphraseFile: string;
beforeEach(() => {
  home = makeHome();
  passphraseFile = home.write('passphrase', 'a good passphrase\n');
  return () => home.dispose();
});

const pending = async () =>
  JSON.parse((await home.lanyard(['confirm', '--json'])).stdout).map((each: { name: string }) => each.name);
const seen = (account: string) =>
  until(
    async () => ((await home.lanyard(['account', 'list'])).stdout.includes(account) ? true : null),
    `the account ${account}`,
  );
const config = () => readFileSync(home.file('config'), 'utf8');

async function person(
  args: readonly string[],
  [question, answer]: [string, string],
  before = async () => {},
) {
  const terminal = startOnTerminal(builtHelper, args, { env: { ...home.env, TERM: 'xterm' } });
  try {
    await terminal.waitForText(question);
    await before();
    terminal.send(`${answer}\r`);
    const { code } = await terminal.ended;
    return { code, shown: terminal.shown() };
  } finally {
    await terminal.dispose();
  }
}

async function withAgent(work: () => Promise<void>): Promise<void> {
  const agent = await startAgent({ home });
  try {
    await work();
  } finally {
    await agent.dispose();
  }
}

test.each([
  ['account', ['account', 'add', 'sly', '--static-token']],
  ['cluster', ['cluster', 'add', 'sly', '--server', 'https://a.example', '--account', 'bot']],
])('without a terminal no %s is added before there is a vault, which would approve it', async (_, args) => {
  home.writeConfig(found);
  const before = config();
  await withAgent(async () => {
    const added = await home.lanyard(args);
    expect([added.code, added.stderr]).toEqual([11, expect.stringContaining('no vault yet')]);
    expect(config()).toBe(before);
  });
});

test('without a terminal a vault is made only where --new says so', async () => {
  await withAgent(async () => {
    const unasked = await home.lanyard(['unlock', '--passphrase-file', passphraseFile]);
    expect([unasked.code, unasked.stderr]).toEqual([11, expect.stringContaining('lanyard unlock --new')]);
    expect(existsSync(home.file('vault'))).toBe(false);
    const made = await home.lanyard(['unlock', '--new', '--passphrase-file', passphraseFile]);
    expect([made.code, made.stderr]).toEqual([0, 'Made a new vault.\n']);
    const again = await home.lanyard(['unlock', '--new', '--passphrase-file', passphraseFile]);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('there is a vault already')]);
  });
});

test('a vault made without a terminal approves what Lanyard found at its start, and nothing that came later', async () => {
  home.writeConfig(found);
  await withAgent(async () => {
    const later = { ...found, accounts: { ...found.accounts, sly: { staticToken: {} } } };
    home.writeConfig(later);
    await seen('sly');
    expect((await home.lanyard(['unlock', '--new', '--passphrase-file', passphraseFile])).code).toBe(0);
    expect(await pending()).toEqual(['sly']);
  });
  // Nor does the next start.
  await withAgent(async () => {
    expect((await home.lanyard(['unlock', '--passphrase-file', passphraseFile])).code).toBe(0);
    expect(await pending()).toEqual(['sly']);
  });
});

test('at a terminal a vault is made after a yes to the list of what it approves', async () => {
  await withAgent(async () => {
    home.writeConfig(found);
    await seen('bot');
    const no = await person(['unlock'], ['Make a new vault? [y/N]', '']);
    expect([no.code, existsSync(home.file('vault'))]).toEqual([10, false]);
    const yes = await person(
      ['unlock', '--passphrase-file', passphraseFile],
      ['Make a new vault? [y/N]', 'y'],
    );
    expect(yes.code).toBe(0);
    expect(yes.shown).toMatch(/approves what is in config\.yaml:[\s\S]*account bot \(new\)[\s\S]*Make a new/);
    expect(await pending()).toEqual([]);
  });
});

test('what changes in config.yaml while the list is read isn’t approved', async () => {
  await withAgent(async () => {
    home.writeConfig(found);
    await seen('bot');
    const made = await person(
      ['unlock', '--passphrase-file', passphraseFile],
      ['Make a new vault? [y/N]', 'y'],
      async () => {
        home.writeConfig({ ...found, accounts: { ...found.accounts, sly: { staticToken: {} } } });
        await seen('sly');
      },
    );
    expect(made.code).toBe(0);
    expect(await pending()).toEqual(['sly']);
  });
});
