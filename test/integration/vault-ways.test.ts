import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { type Dialog, talk } from '../support/dialog.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { type OnTerminal, startOnTerminal } from '../support/pty.ts';
import { type SecretService, startSecretService } from '../support/secret-service.ts';
import { credentialIn, Stage, stagePassphrase } from '../support/stage.ts';

const recoveryKeyLine = /^\s+((?:[0-9A-Z]{4}-){8}([0-9A-Z]{4}))\r?$/m;

/** Runs `recovery-key create` to its end as a person does; gives what the terminal showed, and the key. */
async function createRecoveryKey(terminal: OnTerminal, before: Dialog = [], groupTyped?: string) {
  try {
    for (const [question, answer] of before) {
      await terminal.waitForText(question);
      terminal.send(`${answer}\r`);
    }
    const shown = await terminal.waitForText('Type its last group to go on: ');
    const [, key = '', lastGroup = ''] = recoveryKeyLine.exec(shown) ?? [];
    terminal.send(`${groupTyped ?? lastGroup}\r`);
    const { code } = await terminal.ended;
    return { code, key, shown: terminal.shown() };
  } finally {
    await terminal.dispose();
  }
}

describe('a vault with a passphrase alone', () => {
  let stage: Stage;
  // Until it is changed it opens at once: what the broker sets has scrypt’s full cost.
  let passphrase = stagePassphrase;
  let recoveryKey = '';
  beforeAll(async () => {
    stage = await Stage.open();
    await stage.setSecrets();
  });
  afterAll(() => stage?.dispose());

  const person = (args: string[], ...dialog: Dialog) => talk(stage.onTerminal(args), ...dialog);
  const ask = () => stage.ask('bot', stage.execInfo());
  const file = (name: string, text: string) => stage.home.write(name, `${text}\n`);

  test('a passphrase is set once, and is not removed where it is the only way in', async () => {
    expect(await stage.lanyard(['passphrase', 'set'])).toMatchObject({
      code: 2,
      stderr: 'lanyard: the vault has a passphrase already\nhint: lanyard passphrase change\n',
    });
    const removed = await person(['passphrase', 'remove'], ['Passphrase (not shown): ', passphrase]);
    expect(removed).toMatchObject({
      code: 2,
      shown: expect.stringContaining('is the only way into the vault'),
    });
  });

  test('a recovery key: not without a terminal, nor before it is on paper; on the terminal alone; it opens', async () => {
    const create = ['recovery-key', 'create'];
    expect(await stage.lanyard(create)).toMatchObject({
      code: 13,
      stdout: '',
      stderr: expect.stringContaining('hint: run it at a terminal'),
    });
    // Nobody writes a key down for nothing: the passphrase is looked at first.
    const wrong = await person(create, ['Passphrase (not shown): ', 'not known to me']);
    expect(wrong).toMatchObject({ code: 10, shown: expect.stringContaining('the passphrase is wrong') });
    expect(wrong.shown).not.toMatch(recoveryKeyLine);
    const typed: Dialog = [['Passphrase (not shown): ', passphrase]];
    const notWritten = await createRecoveryKey(stage.onTerminal(create), typed, 'XXXX');
    expect(notWritten).toMatchObject({
      code: 10,
      shown: expect.stringContaining('no recovery key was made'),
    });
    // Wherever its output leads, the key goes to the person.
    const stderr = join(stage.home.outside, 'stderr');
    const redirected = startOnTerminal(
      'sh',
      ['-c', 'exec "$0" recovery-key create >"$1" 2>&1', builtHelper, stderr],
      { env: stage.home.env },
    );
    const { code, key } = await createRecoveryKey(redirected, typed);
    expect([code, key]).toEqual([0, expect.stringMatching(/^\S{44}$/)]);
    expect(readFileSync(stderr, 'utf8')).toBe(
      'The recovery key opens the vault from now on: lanyard unlock --recovery-key\n',
    );
    expect(stage.agentLogs()).not.toContain(key);
    expect(await stage.lanyard(create)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('lanyard recovery-key create --replace'),
    });
    await stage.lanyard(['lock']);
    expect((await ask()).stderr).toContain('lanyard unlock --recovery-key');
    const unlock = ['unlock', '--recovery-key'];
    const question = 'Recovery key (not shown): ';
    const typo = key.slice(0, -1) + (key.endsWith('X') ? 'Y' : 'X');
    expect(await person(unlock, [question, typo])).toMatchObject({
      code: 2,
      shown: expect.stringContaining('a character is wrong, missing or too much'),
    });
    expect(await person(unlock, [question, notWritten.key])).toMatchObject({ code: 11 });
    const good = await person(unlock, [question, key.toLowerCase().replaceAll('-', ' ')]);
    expect(good).toMatchObject({ code: 0, shown: expect.stringContaining('Unlocked.') });
    expect(good.shown).not.toContain(key.toLowerCase().slice(0, 9).replaceAll('-', ' '));
    recoveryKey = key;
  });

  test('export and restore: its content is restored, logins are stale, the vault before is kept', async () => {
    const path = join(stage.home.outside, 'export');
    const exporting = await person(
      ['vault', 'export', path],
      ['The vault’s passphrase (not shown): ', passphrase],
      ['A passphrase for the export (not shown): ', 'of the export'],
      ['Once more: ', 'of the export'],
    );
    expect(exporting).toMatchObject({ code: 0, shown: expect.stringContaining(`Exported to ${path}.`) });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path).includes(stage.botToken)).toBe(false);
    const again = await person(
      ['vault', 'export', path],
      ['The vault’s passphrase (not shown): ', passphrase],
      ['A passphrase for the export (not shown): ', 'of the export'],
      ['Once more: ', 'of the export'],
    );
    expect(again).toMatchObject({ code: 2, shown: expect.stringContaining('nothing is overwritten') });
    const thief = await person(
      ['vault', 'export', `${path}2`],
      ['The vault’s passphrase (not shown): ', 'not known to me'],
    );
    expect(thief.code).toBe(10);
    // The file that is offered is the export's; the vault's own passphrase is a person's to type.
    const nobody = await stage.lanyard([
      'vault',
      'export',
      `${path}2`,
      '--passphrase-file',
      file('x', passphrase),
    ]);
    expect(nobody.stderr).toBe('lanyard: no passphrase was given\nhint: run it at a terminal\n');

    await stage.lanyard(['secret', 'set', 'bot'], { input: 'another-token' });
    const from = ['vault', 'restore', '--from', 'export'];
    const at = { cwd: stage.home.outside };
    const pass = ['--passphrase-file', file('of-export', 'of the export')];
    expect(await stage.lanyard([...from, ...pass], at)).toMatchObject({ code: 10 });
    expect(credentialIn(await ask()).token).toBe('another-token');
    const done = await stage.lanyard([...from, ...pass, '--yes'], at);
    expect(done).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^The vault before is kept as vault\.\d{4}/m),
    });
    expect(credentialIn(await ask()).token).toBe(stage.botToken);
    const status = await stage.status();
    expect(status).toMatchObject({ held: [], vault: { kind: 'open', slots: ['passphrase', 'recoveryKey'] } });
  });

  test('change: the old one must be right, the new one good and typed twice the same; nothing typed is shown', async () => {
    const wrong = await person(['passphrase', 'change'], ['Old passphrase (not shown): ', 'wrong-old-one']);
    expect(wrong).toMatchObject({ code: 10, shown: expect.stringContaining('the passphrase is wrong') });
    const short = await person(
      ['passphrase', 'change'],
      ['Old passphrase (not shown): ', passphrase],
      ['New passphrase (not shown): ', 'short'],
    );
    expect(short).toMatchObject({ code: 2, shown: expect.stringContaining('shorter than 8 characters') });
    const differ = await person(
      ['passphrase', 'change'],
      ['Old passphrase (not shown): ', passphrase],
      ['New passphrase (not shown): ', 'the-next-one-1'],
      ['Once more: ', 'the-next-one-2'],
    );
    expect(differ).toMatchObject({ code: 2, shown: expect.stringContaining('the two were not the same') });
    const good = await person(
      ['passphrase', 'change'],
      ['Old passphrase (not shown): ', passphrase],
      ['New passphrase (not shown): ', 'the-next-one-1'],
      ['Once more: ', 'the-next-one-1'],
    );
    expect(good).toMatchObject({ code: 0, shown: expect.stringContaining('The passphrase is changed.') });
    for (const { shown } of [wrong, short, differ, good]) {
      expect(shown).not.toMatch(/wrong-old-one|the-next-one|stage’s/);
    }
    await stage.lanyard(['lock']);
    const old = await stage.lanyard(['unlock', '--passphrase-file', file('old', passphrase)]);
    expect(old).toMatchObject({ code: 11 });
    passphrase = 'the-next-one-1';
    const done = await stage.lanyard(['unlock', '--passphrase-file', file('new', passphrase)]);
    expect(done).toMatchObject({ code: 0, stderr: 'Unlocked.\n' });
    expect(credentialIn(await ask()).token).toBe(stage.botToken);
  });

  test('change from files, for scripts', async () => {
    const files = [
      ...['--old-passphrase-file', file('old', passphrase)],
      ...['--passphrase-file', file('new', 'the next one 2')],
    ];
    expect(await stage.lanyard(['passphrase', 'change', ...files])).toMatchObject({ code: 0, stdout: '' });
    passphrase = 'the next one 2';
  });

  test('a forgotten passphrase is changed with the recovery key; one that was replaced opens no more', async () => {
    const unlock = ['unlock', '--recovery-key'];
    const question = 'Recovery key (not shown): ';
    const forgotten = await person(
      ['passphrase', 'change', '--recovery-key'],
      [question, recoveryKey],
      ['New passphrase (not shown): ', 'the next one 3'],
      ['Once more: ', 'the next one 3'],
    );
    expect(forgotten.code).toBe(0);
    passphrase = 'the next one 3';
    const replaced = await createRecoveryKey(stage.onTerminal(['recovery-key', 'create', '--replace']), [
      ['Passphrase (not shown): ', passphrase],
    ]);
    expect(replaced.code).toBe(0);
    await stage.lanyard(['lock']);
    expect(await person(unlock, [question, recoveryKey])).toMatchObject({ code: 11 });
    expect(await person(unlock, [question, replaced.key])).toMatchObject({ code: 0 });
  });

  test('reset: a typed word, a longer one while it is open; files stay, config.yaml is pending approval', async () => {
    const open = await stage.lanyard(['vault', 'reset', '--yes']);
    expect(open).toMatchObject({ code: 13, stderr: expect.stringContaining('at a terminal') });
    expect(await person(['vault', 'reset'], ['Type reset everything to go on: ', 'reset'])).toMatchObject({
      code: 10,
    });
    expect(credentialIn(await ask()).token).toBe(stage.botToken);
    await stage.lanyard(['lock']);
    expect(await stage.lanyard(['vault', 'reset'])).toMatchObject({ code: 13 });
    expect(await person(['vault', 'reset'], ['Type reset to go on: ', 'yes'])).toMatchObject({ code: 10 });
    const before = readFileSync(stage.home.file('vault'));
    const done = await person(
      ['vault', 'reset'],
      ['Type reset to go on: ', 'reset'],
      ['A passphrase for the new vault (not shown): ', 'begun anew'],
      ['Once more: ', 'begun anew'],
    );
    expect(done).toMatchObject({ code: 0, shown: expect.stringContaining('Created a new, empty vault.') });
    expect(done.shown).toContain('lanyard confirm');
    const aside = readdirSync(stage.home.path).filter((name) => /^vault\.\d{4}/.test(name));
    expect(
      aside.map((name) => readFileSync(join(stage.home.path, name))).some((each) => each.equals(before)),
    ).toBe(true);
    expect((await ask()).stdout).toBe('');
    const { held } = await stage.status();
    expect(held.map((each: { name: string }) => each.name)).toContain('bot');
  });

  test('each change is on record, without a secret', async () => {
    const audit = await stage.lanyard(['audit', '--json']);
    const events = audit.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
    const changes = new Set(events.filter(({ kind }) => kind === 'change').map(({ what }) => what));
    expect([...changes]).toEqual(
      expect.arrayContaining([
        'passphrase.change',
        'recoveryKey.create',
        'vault.export',
        'vault.restore',
        'vault.reset',
      ]),
    );
    const said = stage.agentLogs() + audit.stdout;
    for (const secret of ['the-next-one', 'the next one', 'of the export', 'begun anew', stagePassphrase]) {
      expect(said).not.toContain(secret);
    }
  });
});

describe('a vault whose key is in a real keychain', () => {
  let home: TestHome;
  let service: SecretService;
  let agent: TestAgent;
  beforeAll(async () => {
    home = makeHome();
    home.writeConfig({ version: 1, accounts: { bot: { staticToken: {} } }, clusters: {} });
    service = await startSecretService();
    agent = await startAgent({ home, env: service.env });
  });
  afterAll(async () => {
    await agent?.dispose();
    await service?.[Symbol.asyncDispose]();
    home?.dispose();
  });

  const person = (args: string[], ...dialog: Dialog) =>
    talk(startOnTerminal(builtHelper, args, { env: home.env }), ...dialog);
  const vault = async () => JSON.parse((await home.lanyard(['status', '--json'])).stdout).vault;
  const again = async () => {
    await agent.stop();
    agent = await startAgent({ home, env: service.env });
  };

  test('a passphrase beside it; the keychain lost; the passphrase opens it and repairs the keychain', async () => {
    await home.lanyard(['secret', 'set', 'bot'], { input: 'kept' });
    const set = await person(
      ['passphrase', 'set'],
      ['New passphrase (not shown): ', 'beside the keychain'],
      ['Once more: ', 'beside the keychain'],
      ['Stop unlocking with the keychain? [y/N] ', 'n'],
    );
    expect(set).toMatchObject({
      code: 0,
      shown: expect.stringContaining('at a start the keychain opens the vault, too'),
    });
    await again();
    expect(await vault()).toMatchObject({ kind: 'open', slots: ['keychain', 'passphrase'] });
    await home.lanyard(['lock']);
    expect(await vault()).toMatchObject({ kind: 'locked', how: 'passphrase' });

    await service[Symbol.asyncDispose]();
    service = await startSecretService();
    await again();
    expect(await vault()).toMatchObject({
      kind: 'locked',
      how: 'keychain',
      ways: ['keychain', 'passphrase'],
    });
    const mended = await person(['unlock'], ['Passphrase (not shown): ', 'beside the keychain']);
    expect(mended).toMatchObject({ code: 0, shown: expect.stringContaining('opens the vault again.') });
    await again();
    expect(await vault()).toMatchObject({ kind: 'open' });
  });

  test('the passphrase is removed, and set in the keychain’s place', async () => {
    const removed = await person(
      ['passphrase', 'remove'],
      ['Passphrase (not shown): ', 'beside the keychain'],
    );
    expect(removed).toMatchObject({ code: 0, shown: expect.stringContaining('one click unlocks it') });
    const set = await person(
      ['passphrase', 'set'],
      ['New passphrase (not shown): ', 'in its place'],
      ['Once more: ', 'in its place'],
      ['Stop unlocking with the keychain? [y/N] ', 'y'],
    );
    expect(set).toMatchObject({
      code: 0,
      shown: expect.stringContaining('after each start and each lanyard lock'),
    });
    await again();
    expect(await vault()).toMatchObject({ kind: 'locked', how: 'passphrase', ways: ['passphrase'] });
    expect(await person(['unlock'], ['Passphrase (not shown): ', 'in its place'])).toMatchObject({ code: 0 });
  });

  test('all is lost: reset makes a new one with the keychain', async () => {
    await agent.stop();
    writeFileSync(home.file('vault'), 'x');
    writeFileSync(home.file('previousVault'), 'x');
    agent = await startAgent({ home, env: service.env });
    expect(await vault()).toMatchObject({ kind: 'broken' });
    const done = await home.lanyard(['vault', 'reset', '--yes']);
    expect(done).toMatchObject({ code: 0, stdout: '' });
    expect(done.stderr).toContain('It is opened by the keychain');
    expect(done.stderr).toContain('of: bot');
    await again();
    expect(await vault()).toMatchObject({ kind: 'open', slots: ['keychain'] });
    expect(JSON.parse((await home.lanyard(['status', '--json'])).stdout).held).toMatchObject([
      { name: 'bot' },
    ]);
  });
});
