import { describe, expect, it, test } from 'vitest';
import { execPluginAccount } from '../../contract/config/accounts/exec-plugin.ts';
import { readProviderFile } from './provider-file.ts';

const apiVersion = 'client.authentication.k8s.io/v1beta1';
const exec = { apiVersion, command: '/bin/plugin', args: null, env: null, provideClusterInfo: true };
const file = (...providers: unknown[]) => JSON.stringify({ providers });
const read = (text: string) => {
  const result = readProviderFile(text);
  if (!result.ok) {
    throw new Error(result.message);
  }
  return result.providers;
};

/** KEP-5339/provider-file */
describe('a provider file', () => {
  it('gives its providers in its order, ready for an account', () => {
    const policies = {
      profileSourcedCLIArgsPolicy: 'Append',
      profileSourcedEnvVarsPolicy: 'AppendIfNotExists',
    };
    const own = { args: ['--x', 'y'], env: [{ name: 'A', value: 'b' }], installHint: 'install it' };
    const whole = { name: 'google', execConfig: { ...exec, ...own }, ...policies };
    const [google, eks] = read(file(whole, { name: 'eks', execConfig: exec }));
    expect(google).toEqual({ ok: true, name: 'google', plugin: { ...exec, ...own }, ...policies });
    expect(eks).toMatchObject({
      plugin: { args: [], env: [], installHint: null },
      profileSourcedCLIArgsPolicy: 'Ignore',
      profileSourcedEnvVarsPolicy: 'Ignore',
    });
    for (const each of [google, eks]) {
      const { installHint, ...plugin } = each?.ok ? each.plugin : ({} as never);
      const value = { ...plugin, ...(installHint !== null && { installHint }), interactiveMode: 'Never' };
      expect(execPluginAccount.safeParse(value).success).toBe(true);
    }
  });

  it('may have keys that nobody knows, and names in any case', () => {
    const text = `{"credentialsProviders": 1, "PROVIDERS": [{"Name": "a", "x": {"y": []},
      "execconfig": {"APIVERSION": "${apiVersion}", "Command": "c", "interactiveMode": "Always", "config": {"z": 1}, "installHint": ""}}]}`;
    expect(read(text)).toMatchObject([{ ok: true, name: 'a', plugin: { command: 'c', installHint: null } }]);
  });

  test.each(['{}', 'null', '{"providers": null}', '{"providers": []}', ' \n{}\n'])('%j has none', (text) => {
    expect(read(text)).toEqual([]);
  });

  it('KEP-5339’s first text says Allow: the profile’s value of a variable wins', () => {
    const policies = { profileSourcedCLIArgsPolicy: 'Allow', profileSourcedEnvVarsPolicy: 'Allow' };
    expect(read(file({ name: 'a', execConfig: exec, ...policies }))).toMatchObject([
      { profileSourcedCLIArgsPolicy: 'Append', profileSourcedEnvVarsPolicy: 'Replace' },
    ]);
  });

  test.each<[string, object]>([
    ['no exec config found for provider "a"', { execConfig: undefined }],
    ['no exec config found for provider "a"', { execConfig: null }],
    ['has no command', { execConfig: { apiVersion } }],
    [
      `has the apiVersion ""; supported are client.authentication.k8s.io/v1, ${apiVersion}, client.authentication.k8s.io/v1alpha1`,
      { execConfig: { command: 'c' } },
    ],
    ['unsupported ProfileSourcedCLIArgsPolicy: "append"', { profileSourcedCLIArgsPolicy: 'append' }],
    ['unsupported ProfileSourcedEnvVarsPolicy: "Append"', { profileSourcedEnvVarsPolicy: 'Append' }],
    [
      'unsupported ProfileSourcedEnvVarsPolicy: "constructor"',
      { profileSourcedEnvVarsPolicy: 'constructor' },
    ],
  ])('%s: the provider’s fault, at load', (fault, parts) => {
    const text = file({ name: 'a', execConfig: exec, ...parts }, { name: 'b', execConfig: exec });
    expect(read(text)).toMatchObject([
      { ok: false, name: 'a', fault },
      { ok: true, name: 'b' },
    ]);
  });

  it('of equal names the first counts, also where it has a fault', () => {
    expect(read(file({ name: 'a' }, { name: 'a', execConfig: exec }))).toMatchObject([
      { ok: false, fault: 'no exec config found for provider "a"' },
      { ok: false, fault: 'is there twice; the first counts' },
    ]);
    expect(read(file({ execConfig: exec }))).toMatchObject([{ ok: false, name: '', fault: 'has no name' }]);
  });

  test.each([
    ['', 'unexpected end of JSON input'],
    ['providers', 'invalid JSON'],
    ['{"providers": [}', 'invalid JSON'],
    ['{} x', 'invalid JSON at character 4'],
    ['\ufeff{}', 'invalid JSON'],
  ])('%j can’t be read', (text, why) => {
    expectUnread(text, why);
  });

  test.each([
    ['[]', 'array', 'value of type access.Config'],
    ['{"providers": {}}', 'object', 'struct field Config.providers of type []access.Provider'],
    ['{"providers": [1]}', 'number', 'struct field Config.providers of type access.Provider'],
    ['{"providers": [{"name": 1}]}', 'number', 'struct field Provider.providers.name of type string'],
    [
      '{"providers": [{"execConfig": {"args": [1]}}]}',
      'number',
      'struct field ExecConfig.providers.execConfig.args of type string',
    ],
  ])('%j has a field of another type', (text, found, wanted) => {
    expectUnread(text, `json: cannot unmarshal ${found} into Go ${wanted}`);
  });

  it('of more than 1 MiB isn’t read', () => {
    expectUnread(' '.repeat(1024 * 1024 + 1), 'more than 1024 KiB');
  });

  function expectUnread(text: string, why: string) {
    const message = `failed to unmarshal access providers: ${why}`;
    expect(readProviderFile(text)).toEqual({ ok: false, message });
  }
});
