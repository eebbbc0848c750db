import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutScripts } from '../../../test/support/system.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { Bindings } from '../../access/bindings.ts';
import { execPluginAccount } from '../../contract/config/accounts/exec-plugin.ts';
import { pkcs11Account } from '../../contract/config/accounts/pkcs11.ts';
import { defaultSettings } from '../../contract/config/settings.ts';
import { bindingsOf } from '../../domain/program/program-check.ts';
import { noEntries } from '../../domain/testing/no-entries.ts';
import { createPluginInspector, inspectPlugins } from '../../platform/programs/inspect-plugin.ts';
import type { LoadedAccount, LoadedConfig } from '../../ports/config-store.ts';
import { FakeVault } from '../testing/fake-vault.ts';
import { createBoundPrograms } from './bound-programs.ts';

const folder = temporaryFolder();

async function put(name: string, text = '#!/bin/sh\n'): Promise<string> {
  const path = join(folder(), name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, text, { mode: 0o755 });
  return path;
}

function eks(values: object = {}): LoadedAccount {
  const plugin = execPluginAccount.parse({
    apiVersion: 'client.authentication.k8s.io/v1',
    interactiveMode: 'Never',
    command: 'aws',
    searchPath: ['first', 'second'].map((name) => join(folder(), name)).join(delimiter),
    ...values,
  });
  return { name: 'eks', config: { execPlugin: plugin }, certificateAuthorityPem: null };
}

/** With Bindings as in the broker; `confirm` approves the account. */
async function setUp(account = eks()) {
  const vault = new FakeVault();
  const state: { config: LoadedConfig } = { config: configOf(account) };
  const config = { current: () => state.config };
  const look = createPluginInspector();
  const bindings = new Bindings({
    config,
    vault,
    programs: async (accounts) => bindingsOf(await inspectPlugins(look, accounts)),
  });
  let now = 0;
  // Each look is at another time.
  const clock = { boottime: () => (now += 1000) };
  const isServed = (name: string) => bindings.isServed('account', name);
  const serving = { current: () => bindings.activeConfig() };
  const programs = createBoundPrograms({ vault, look, config: serving, clock, isServed });
  const confirm = async () => {
    const accounts = [...state.config.accounts.values()];
    const pending = bindings.changes().filter(({ what }) => what === 'account');
    const shown = accounts.filter(({ name }) => pending.some((each) => each.name === name));
    const found = bindingsOf(await inspectPlugins(look, shown));
    await bindings.approve({ changes: pending, programs: found }, { forgetGone: true });
  };
  return {
    vault,
    bindings,
    programs,
    find: () => programs.find(account),
    bound: () => vault.content.confirmed.programs['eks'] ?? null,
    confirm,
    approveHeld: async () => bindings.approve({ changes: [], changedPrograms: await programs.held() }),
    set: (...accounts: LoadedAccount[]) => {
      state.config = configOf(...accounts);
      return state.config;
    },
    /** As an older vault has it, or one whose config was found when it was made. */
    forgetProgram: () => {
      vault.content = { ...vault.content, confirmed: { ...vault.content.confirmed, programs: {} } };
    },
  };
}

/** The same with a program that was there, second on the search path, and the account confirmed. */
async function confirmed(account?: LoadedAccount) {
  const path = await put('second/aws');
  const made = await setUp(account);
  await made.confirm();
  return { ...made, path };
}

function configOf(...accounts: LoadedAccount[]): LoadedConfig {
  return {
    ...noEntries,
    accounts: new Map(accounts.map((each) => [each.name, each])),
    settings: defaultSettings,
  };
}

describe.skipIf(withoutScripts)('the program of a plugin, before a run', () => {
  it('is where it was confirmed, and may change there', async () => {
    const { path, find, programs } = await confirmed();
    expect(await find()).toMatchObject({ ok: true, path });
    await put('second/aws', '#!/bin/sh\necho other\n');
    expect(await find()).toMatchObject({ ok: true, path });
    expect(await programs.held()).toEqual([]);
  });

  it('is pending when another is found first, until the user approves it', async () => {
    const { path: before, approveHeld, find, programs } = await confirmed();
    const path = await put('first/aws');
    expect(await find()).toMatchObject({
      ok: false,
      reason: 'notPermitted',
      code: 'execPlugin.moved',
      message: `the program of eks would be ${path} now; confirmed is ${before}`,
      hint: expect.stringContaining('lanyard confirm eks'),
    });
    expect(await programs.held()).toMatchObject([
      { account: 'eks', change: 'moved', before: { path: before }, now: { path } },
    ]);
    await approveHeld();
    expect(await find()).toMatchObject({ ok: true, path });
    expect(await programs.held()).toEqual([]);
  });

  it.each<[what: string, change: (path: string) => Promise<unknown>]>([
    ['was written over', (path) => writeFile(path, '#!/bin/sh\necho other\n')],
    ['was replaced', async (path) => rename(await put('other'), path).then(() => writeFile(path, 'x'))],
    [
      'is a link that leads elsewhere',
      async (path) => {
        await rm(path);
        await symlink(await put('other', '#!/bin/sh\necho other\n'), path);
      },
    ],
  ])('is held with a pin when it %s, until a person confirms it', async (_, change) => {
    const { path, approveHeld, find, programs } = await confirmed(eks({ pin: true }));
    expect(await find()).toMatchObject({ ok: true, path });
    await change(path);
    expect(await find()).toMatchObject({
      reason: 'notPermitted',
      code: 'execPlugin.changed',
      hint: expect.stringContaining('lanyard confirm eks'),
    });
    expect(await programs.held()).toMatchObject([{ account: 'eks', change: 'changed' }]);
    await approveHeld();
    expect(await find()).toMatchObject({ ok: true, path });
  });

  it('is the same with a pin when it was only touched, or replaced by an equal one', async () => {
    const { path, find } = await confirmed(eks({ pin: true }));
    await rename(await put('equal'), path);
    expect(await find()).toMatchObject({ ok: true, path });
  });

  it.each<[what: string, open: string]>([
    ['it', 'second/aws'],
    ['its folder', 'second'],
    ['a folder() above', '.'],
  ])('is refused where others can write %s, and no confirmation helps', async (_, open) => {
    const { path, find, confirm, programs, bound } = await confirmed();
    await chmod(join(folder(), open), 0o777);
    const refusal = {
      reason: 'notPermitted',
      code: 'execPlugin.unsafe',
      message: `${path} is not run: everybody can write ${join(folder(), open)}`,
      hint: expect.stringContaining(join(folder(), open)),
    };
    expect(await find()).toMatchObject(refusal);
    await confirm();
    expect(await find()).toMatchObject(refusal);
    expect(await programs.held()).toEqual([]);
    await chmod(join(folder(), open), 0o755);
    expect(await find()).toMatchObject({ ok: true, path });
    expect(bound()).toMatchObject({ path });
  });

  it('is bound at its first run where nothing was known of it, and not where others can write it', async () => {
    const { path, find, forgetProgram, bound } = await confirmed();
    forgetProgram();
    await chmod(path, 0o777);
    expect(await find()).toMatchObject({ code: 'execPlugin.unsafe' });
    expect(bound()).toBeNull();
    await chmod(path, 0o755);
    await find();
    expect(bound()).toEqual({ path, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
    await put('first/aws');
    expect(await find()).toMatchObject({ code: 'execPlugin.moved' });
  });

  it('leaves no record of an account that was removed meanwhile', async () => {
    const { find, confirm, set, bound } = await confirmed();
    set();
    await confirm();
    await find();
    expect(bound()).toBeNull();
  });

  it('is missing where there is none, and bound when there is one', async () => {
    const { find, confirm, bound } = await setUp();
    await confirm();
    expect(await find()).toEqual({ ok: 'missing', kind: 'missing', path: null });
    await put('first/aws', '');
    await chmod(join(folder(), 'first/aws'), 0o644);
    expect(await find()).toEqual({ ok: 'missing', kind: 'notExecutable', path: join(folder(), 'first/aws') });
    const path = await put('second/aws');
    await find();
    expect(bound()).toMatchObject({ path });
  });

  it('is missing by its path, too, where it can’t be run', async () => {
    const path = await put('aws');
    await chmod(path, 0o644);
    for (const [command, kind] of [
      [path, 'notExecutable'],
      [folder(), 'folder'],
    ] as const) {
      expect(await (await setUp(eks({ command }))).find()).toEqual({ ok: 'missing', kind, path: command });
    }
  });

  it('is not available while the vault is locked', async () => {
    await put('second/aws');
    const { find, vault } = await setUp();
    vault.locked = true;
    expect(await find()).toMatchObject({ reason: 'locked', code: 'vault.locked' });
  });
});

describe.skipIf(withoutScripts)('what was confirmed of a program', () => {
  it('is what the user was shown, whatever is there by now', async () => {
    const path = await put('second/aws');
    const { find, bindings } = await setUp(eks({ pin: true }));
    const programs = { eks: { path, sha256: 'as it was shown' } };
    await bindings.approve({ changes: bindings.changes(), programs });
    expect(await find()).toMatchObject({ code: 'execPlugin.changed' });
  });

  it('goes away with its account, and is another after the account was confirmed as another', async () => {
    await put('second/aws');
    const other = await put('second/gcloud');
    const { set, confirm, bound } = await setUp();
    await confirm();
    set(eks({ command: 'gcloud' }));
    await confirm();
    expect(bound()).toMatchObject({ path: other });
    set();
    await confirm();
    expect(bound()).toBeNull();
  });

  it('is no longer there with an account of another kind', async () => {
    const { set, confirm, bound } = await confirmed();
    set({ ...eks(), config: { staticToken: {} } });
    await confirm();
    expect(bound()).toBeNull();
  });

  it('stays when another account is approved, also with all that is pending', async () => {
    const { path, find, confirm, set } = await confirmed(eks({ pin: true }));
    await writeFile(path, '#!/bin/sh\necho other\n');
    const bot: LoadedAccount = { name: 'bot', config: { staticToken: {} }, certificateAuthorityPem: null };
    set(eks({ pin: true }), bot);
    await confirm();
    expect(await find()).toMatchObject({ code: 'execPlugin.changed' });
  });

  it('is bound for the account alone that it was shown of, without the account’s own change', async () => {
    const { path, find, bindings, set } = await confirmed();
    await rename(path, await put('first/aws'));
    set(eks({ args: ['get-token'] }));
    await bindings.approve({
      changes: [],
      programs: { eks: { path: join(folder(), 'first/aws'), sha256: null } },
    });
    expect(await find()).toMatchObject({ ok: true });
    expect(bindings.pending('account', 'eks')).not.toBeNull();
  });

  it('is pending beside a change of its account, whose approved form serves; and not where the account is new', async () => {
    await put('second/aws');
    const { programs, confirm, set } = await setUp();
    expect(await programs.held()).toEqual([]);
    await confirm();
    await put('first/aws');
    set(eks({ args: ['get-token'] }));
    expect(await programs.held()).toMatchObject([{ account: 'eks', change: 'moved' }]);
  });
});

describe.skipIf(withoutScripts)('the module of a key on a token', () => {
  async function setUpModule() {
    const module = await put('module.so', 'a library');
    await chmod(module, 0o644);
    const config = { pkcs11: pkcs11Account.parse({ module }) };
    return { module, ...(await setUp({ name: 'card', config, certificateAuthorityPem: null })) };
  }

  it('is loaded as it was confirmed, and needs no permission to be run', async () => {
    const { module, find, confirm } = await setUpModule();
    await confirm();
    const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(await find()).toEqual({ ok: true, path: module, target: module, sha256 });
  });

  it('is held where it changed, without a pin in config.yaml', async () => {
    const { module, find, confirm, programs, approveHeld } = await setUpModule();
    await confirm();
    await writeFile(module, 'another library');
    expect(await find()).toMatchObject({
      code: 'execPlugin.changed',
      message: `the module of card, ${module}, has changed since it was confirmed`,
      hint: 'check it, then approve it: lanyard confirm card',
    });
    expect(await programs.held()).toMatchObject([{ account: 'card', now: { isLibrary: true } }]);
    await approveHeld();
    expect(await find()).toMatchObject({ ok: true });
  });

  it('is refused where others can write it', async () => {
    const { module, find, confirm } = await setUpModule();
    await confirm();
    await chmod(module, 0o666);
    const message = `${module} is not loaded: everybody can write ${module}`;
    expect(await find()).toMatchObject({ code: 'execPlugin.unsafe', message });
  });
});
