import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { agree } from '../support/agree.ts';
import { filesBelow, findCanaries } from '../support/canary.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { startOnTerminal } from '../support/pty.ts';

/** `lanyard inventory add` and `remove`, with providers by name, of a provider file and of KEP-5339’s flag. */
const v1 = 'client.authentication.k8s.io/v1';
const secret = 'variable-canary-of-the-inventory-0123456789';

let home: TestHome;
let agent: TestAgent;
let plugin: string;
let providerFile: string;

beforeAll(async () => {
  home = makeHome();
  home.writeConfig({
    version: 1,
    accounts: { corp: { staticToken: {} } },
    clusters: { hub: { server: 'https://hub.example:6443', account: 'corp' } },
  });
  const bin = join(home.outside, 'bin');
  mkdirSync(bin);
  plugin = join(bin, 'fleet-plugin');
  for (const path of [plugin, join(bin, 'open-plugin')]) {
    writeFileSync(path, '#!/bin/sh\nexit 1\n');
    chmodSync(path, path === plugin ? 0o755 : 0o777);
  }
  providerFile = home.write(
    'providers.json',
    JSON.stringify({
      providers: [
        {
          name: 'google',
          execConfig: {
            apiVersion: v1,
            command: plugin,
            args: ['get-token', 'a b'],
            env: [
              { name: 'CLOUDSDK_CONFIG', value: '/etc/gcloud' },
              { name: 'FLEET_TOKEN', value: secret },
            ],
            provideClusterInfo: true,
          },
          profileSourcedCLIArgsPolicy: 'Append',
        },
        { name: 'eks', execConfig: { apiVersion: v1, command: join(bin, 'open-plugin') } },
        { name: 'none' },
      ],
    }),
  );
  agent = await startAgent({ home, passphrase: 'of the inventory' });
  await agree(startOnTerminal(builtHelper, ['confirm'], { env: home.env }));
});
afterAll(async () => {
  await agent?.dispose();
  home?.dispose();
});

const inventory = (...args: string[]) => home.lanyard(['inventory', ...args]);
const configText = () => readFileSync(home.file('config'), 'utf8');
const entries = () => parse(configText()).inventories ?? {};

describe('lanyard inventory add', () => {
  test.each<[string, RegExp]>([
    ['--provider google=corp', /it needs --hub or --file, and not both/],
    ['--hub hub --file x --provider a=corp', /it needs --hub or --file, and not both/],
    ['--hub hub', /it needs a provider: --provider NAME=ACCOUNT/],
    ['--hub hub --provider google', /--provider takes NAME=ACCOUNT/],
    ['--hub hbu --provider google=corp', /there is no cluster hbu in config\.yaml/],
    ['--hub hub --provider google=crop', /there is no account crop/],
    ['--hub hub --provider google=corp --server *', /\* stands for the names below a domain/],
    ['--hub hub --clusterprofile-provider-file nowhere', /failed to read access config file/],
    ['--hub hub --clusterprofile-creds-provider x', /--clusterprofile-creds-provider: expected NAME=/],
  ])('%s adds nothing', async (words, why) => {
    const { code, stderr } = await inventory('add', 'fleet', ...words.split(' '));
    expect([code, stderr]).toEqual([exitCodes.usage, expect.stringMatching(why)]);
    expect(entries()).toEqual({});
  });

  test('without a terminal what it adds is pending', async () => {
    const { code, stderr } = await inventory(
      ...['add', 'files', '--file', 'profiles', '--file', '/etc/fleet.yaml', '--provider', 'google=corp'],
      ...['--server', '*.example.com', '--select', 'env=prod', '--context-name', '{namespace}-{name}'],
    );
    expect([code, stderr]).toEqual([
      exitCodes.pending,
      expect.stringContaining('Saved the inventory files, pending approval'),
    ]);
    expect(entries()).toMatchObject({
      files: {
        files: [expect.stringMatching(/^\/.*\/profiles$/), '/etc/fleet.yaml'],
        providers: [{ name: 'google', account: 'corp' }],
        servers: ['*.example.com'],
        select: 'env=prod',
        contextName: '{namespace}-{name}',
      },
    });
    const { stdout } = await home.lanyard(['status']);
    expect(stdout).toMatch(/inventory files/);
    expect((await inventory('add', 'files', '--file', 'x', '--provider', 'google=corp')).stderr).toContain(
      'there is an inventory named files already',
    );
    const removed = await inventory('remove', 'files');
    expect([removed.code, removed.stderr]).toEqual([0, 'Removed the inventory files.\n']);
    expect(entries()).toEqual({});
  });

  test('plugins of a provider file are added neither unasked nor with a no', async () => {
    const args = ['fleet', '--hub', 'hub', '--clusterprofile-provider-file', providerFile];
    const asked = await inventory('add', ...args);
    expect(asked).toMatchObject({
      code: exitCodes.denied,
      stderr: expect.stringContaining('there is no terminal to ask'),
    });
    const dry = await inventory('add', ...args, '--dry-run', '--json');
    expect(JSON.parse(dry.stdout)).toMatchObject({
      name: 'fleet',
      inventory: { cluster: 'hub', providers: [{ name: 'google', account: 'google' }] },
    });
    expect(asked.stdout + asked.stderr + dry.stdout).not.toContain(secret);
    expect(configText()).not.toContain('google');
  });

  test('shows commands, arguments and variables, asks, and both are approved (KEP-5339/provider-file, KEP-5339/provider-flag)', async () => {
    const terminal = startOnTerminal(
      builtHelper,
      [
        ...'inventory add fleet --hub hub --namespace fleet --selector'.split(' '),
        'env in (prod)',
        ...['--provider', 'corp=corp', '--clusterprofile-provider-file', 'providers.json'],
        ...['--clusterprofile-creds-provider', `flag='${plugin} --flag value'`],
      ],
      { env: home.env, cwd: home.outside },
    );
    const done = await agree(terminal);
    expect(done.code, done.shown).toBe(0);
    for (const shown of [
      /google +account google/,
      /eks +skipped: everybody can write \S+open-plugin/,
      /none +skipped: no exec config found for provider "none"/,
      /flag +account flag/,
      /google: \S+\/fleet-plugin get-token 'a b'/,
      /flag: \S+\/fleet-plugin --flag value/,
      /fleet-plugin, owner \S+, SHA-256 [0-9a-f]{64}/,
      /variables CLOUDSDK_CONFIG=\/etc\/gcloud, FLEET_TOKEN \(in the vault\)/,
      /google: a profile may add arguments to the plugin’s/,
      /interactiveMode: Never/,
      /Add fleet with these 2 programs\? \[y\/N\]/,
    ]) {
      expect(done.shown).toMatch(shown);
    }
    expect(parse(configText())).toMatchObject({
      accounts: {
        google: { execPlugin: { command: plugin, interactiveMode: 'Never', provideClusterInfo: true } },
        flag: { execPlugin: { command: plugin, args: ['--flag', 'value'], interactiveMode: 'Never' } },
      },
      inventories: {
        fleet: {
          cluster: 'hub',
          namespaces: ['fleet'],
          labelSelector: 'env in (prod)',
          providers: [
            { name: 'corp', account: 'corp' },
            { name: 'google', account: 'google', profileSourcedCLIArgsPolicy: 'Append' },
            { name: 'flag', account: 'flag' },
          ],
        },
      },
    });
    const { held } = JSON.parse((await home.lanyard(['status', '--json'])).stdout);
    expect(held).toEqual([]);
    const texts = [{ where: 'the terminal', bytes: Buffer.from(done.shown) }, ...filesBelow(home.path)];
    expect(findCanaries([{ name: 'variable', value: secret }], texts)).toEqual([]);
  });

  test('is not approved with an account that is pending: that one is reviewed first', async () => {
    expect((await home.lanyard(['account', 'add', 'late', '--static-token'])).code).toBe(exitCodes.pending);
    const args = 'inventory add other --hub hub --provider a=corp --provider b=late'.split(' ');
    const done = await agree(startOnTerminal(builtHelper, args, { env: home.env }));
    expect([done.code, done.shown]).toEqual([
      exitCodes.denied,
      expect.stringContaining('the account late, which a new entry would use, is new and pending approval'),
    ]);
    expect(Object.keys(entries())).toEqual(['fleet']);
  });
});
