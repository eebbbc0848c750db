import { describe, expect, test } from 'vitest';
import { Secret } from '../../../base/secret.ts';
import { type ExecPluginConfig, execPluginAccount } from '../../../contract/config/accounts/exec-plugin.ts';
import type { FileProvider, ProviderPlugin } from '../../inventory/file-provider.ts';
import type { LoadedAccount } from '../../loaded-config.ts';
import type { ProgramFacts } from '../../program/program.ts';
import { someProgram } from '../../testing/some-program.ts';
import {
  importedProviders,
  type KnownForProviders,
  planAccessProviders,
  type StatedProvider,
} from './plan-access-providers.ts';

const v1 = 'client.authentication.k8s.io/v1';
const path = '/opt/bin/gke-gcloud-auth-plugin';

type Good = Extract<FileProvider, { ok: true }>;
const usual = { provideClusterInfo: true, installHint: null };

function stated(
  name: string,
  plugin: Partial<ProviderPlugin> = {},
  policies: Partial<Good> = {},
  program: ProgramFacts = someProgram(path),
): StatedProvider {
  const provider: FileProvider = {
    ok: true,
    name,
    plugin: { apiVersion: v1, command: path, args: [], env: [], ...usual, ...plugin },
    profileSourcedCLIArgsPolicy: 'Ignore',
    profileSourcedEnvVarsPolicy: 'Ignore',
    ...policies,
  };
  return { provider, command: path, searchPath: undefined, program };
}

function accountNamed(name: string, fields: Partial<ExecPluginConfig> = {}): [string, LoadedAccount] {
  const asked = { interactiveMode: 'Never', provideClusterInfo: true };
  const execPlugin = execPluginAccount.parse({ apiVersion: v1, command: path, ...asked, ...fields });
  return [name, { name, config: { execPlugin }, certificateAuthorityPem: null }];
}

function plan(
  providers: StatedProvider[],
  {
    named = [],
    accounts = [],
    ...known
  }: Partial<Omit<KnownForProviders, 'config'>> & {
    named?: string[];
    accounts?: [string, LoadedAccount][];
  } = {},
) {
  return planAccessProviders(providers, named, {
    config: { accounts: new Map(accounts) },
    secrets: {},
    sessions: {},
    ...known,
  });
}

const leftOf = (providers: StatedProvider[], known?: Parameters<typeof plan>[1]) =>
  plan(providers, known).map(({ becomes }) => ('left' in becomes ? becomes.left : null));

describe('a provider becomes', () => {
  test('an account that never asks, and an entry', () => {
    const env = [
      { name: 'CLOUDSDK_CONFIG', value: '/x' },
      { name: 'CLOUDSDK_CONFIG', value: '/etc/gcloud' },
    ];
    const [found] = importedProviders(plan([stated('google', { args: ['--a', 'b c'], env })]));
    expect(found).toMatchObject({
      account: 'google',
      accountExists: false,
      accountValue: {
        execPlugin: {
          apiVersion: v1,
          command: path,
          args: ['--a', 'b c'],
          env: env.slice(1),
          interactiveMode: 'Never',
          provideClusterInfo: true,
        },
      },
    });
    expect(found?.entry).toEqual({ name: 'google', account: 'google' });
  });

  test('one with the policies of its file, and what they let through is said', () => {
    const policies = {
      profileSourcedCLIArgsPolicy: 'Append',
      profileSourcedEnvVarsPolicy: 'Replace',
    } as const;
    const [planned] = plan([stated('eks', {}, policies)]);
    expect(planned?.becomes).toMatchObject({ entry: { name: 'eks', account: 'eks', ...policies } });
    expect(planned?.notes).toEqual([
      'a profile may add arguments to the plugin’s',
      'no variable of a profile is set until allowedEnvVars of the provider names it',
    ]);
  });

  test('the account that is the same already', () => {
    const accounts = [accountNamed('other', { args: ['x'] }), accountNamed('mine')];
    expect(importedProviders(plan([stated('google')], { accounts }))).toMatchObject([
      { account: 'mine', accountExists: true, entry: { name: 'google', account: 'mine' } },
    ]);
  });

  test('one of another name where that is taken, or a vault’s leftovers have it', () => {
    const accounts = [accountNamed('google', { interactiveMode: 'Always' })];
    const secrets = { 'google-2': { token: new Secret('t') } };
    const known = { accounts, secrets };
    expect(importedProviders(plan([stated('google')], known))).toMatchObject([{ account: 'google-3' }]);
    expect(importedProviders(plan([stated('über cloud')]))).toMatchObject([
      { account: 'uber-cloud', entry: { name: 'über cloud', account: 'uber-cloud' } },
    ]);
  });

  test('one whose secrets are in the vault', () => {
    const env = [{ name: 'API_TOKEN', value: 'hunter2-hunter2-hunter2' }];
    const [planned] = plan([stated('eks', { env })]);
    expect(JSON.stringify(planned)).not.toContain('hunter2');
    expect(planned?.becomes).toMatchObject({
      accountValue: { execPlugin: { env: [{ name: 'API_TOKEN' }] } },
      secretsChange: true,
    });
  });

  test('one whose program isn’t there yet', () => {
    const missing = stated('eks', {}, {}, { kind: 'missing', path: null });
    expect(importedProviders(plan([missing]))).toMatchObject([{ program: { kind: 'missing' } }]);
  });
});

describe('a provider stays', () => {
  const faulty: StatedProvider = {
    provider: { ok: false, name: 'x', fault: 'has no command' },
    command: '',
    searchPath: undefined,
    program: null,
  };
  const writers = [{ path, who: 'everybody' }];
  const withVariable = (name: string) => stated('eks', { env: [{ name, value: 'x' }] });
  test.each<[string, StatedProvider, string]>([
    ['with a fault', faulty, 'has no command'],
    [
      'that others can write',
      stated('eks', {}, {}, someProgram(path, { writers })),
      'everybody can write /opt/bin/gke-gcloud-auth-plugin, and so put another program in place of its plugin: take that right away, then add it again',
    ],
    [
      'that is Lanyard’s own helper',
      stated('eks', {}, {}, someProgram(path, { target: '/home/alice/bin/lanyard' })),
      'its plugin is Lanyard’s own helper: it would ask itself',
    ],
    [
      'with a loader’s variable',
      withVariable('LD_PRELOAD'),
      'its variable LD_PRELOAD makes programs load or run something else, and no plugin of Lanyard’s gets it',
    ],
    ['with an odd variable', withVariable('A=B'), 'its env A=B: expected a variable’s name'],
  ])('%s', (_, provider, left) => {
    expect(leftOf([provider])).toEqual([left]);
  });

  test('whose name has an account already', () => {
    expect(leftOf([stated('eks'), stated('eks')])).toEqual([null, 'is named before; the first counts']);
    expect(leftOf([stated('eks')], { named: ['eks'] })).toEqual(['is named before; the first counts']);
  });
});
