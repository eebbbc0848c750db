import { describe, expect, it, test } from 'vitest';
import { readProviderFlag } from './provider-flag.ts';

/** KEP-5339/provider-flag */
describe('the KEP’s flag', () => {
  test.each<[string, string, string[]]>([
    [
      "google='/usr/bin/gke-gcloud-auth-plugin --flag1 value1 --flag2 value2'",
      '/usr/bin/gke-gcloud-auth-plugin',
      ['--flag1', 'value1', '--flag2', 'value2'],
    ],
    // As a shell passes it on.
    ['google=/usr/bin/plugin --flag value', '/usr/bin/plugin', ['--flag', 'value']],
    ['google="/usr/bin/plugin"', '/usr/bin/plugin', []],
    ['google=plugin', 'plugin', []],
    [`google='/usr/bin/plugin --name "a b" --x='`, '/usr/bin/plugin', ['--name', 'a b', '--x=']],
    [`google=/usr/bin/plugin '' --a='b c'd`, '/usr/bin/plugin', ['', '--a=b cd']],
    ["google='C:\\tools\\plugin.exe --a=b=c'", 'C:\\tools\\plugin.exe', ['--a=b=c']],
    ["google=  '/a   b\t\nc'  ", '/a', ['b', 'c']],
    // Nothing is expanded.
    ["google='/a $HOME `id` *'", '/a', ['$HOME', '`id`', '*']],
    ["google='/a' 'b'", '/a', ['b']],
  ])('%s', (text, command, args) => {
    expect(readProviderFlag(text)).toEqual({
      ok: true,
      provider: {
        ok: true,
        name: 'google',
        plugin: {
          apiVersion: 'client.authentication.k8s.io/v1',
          command,
          args,
          env: [],
          provideClusterInfo: true,
          installHint: null,
        },
        profileSourcedCLIArgsPolicy: 'Ignore',
        profileSourcedEnvVarsPolicy: 'Ignore',
      },
    });
  });

  test.each([
    ['google=', 'has no command'],
    ["google=''", 'has no command'],
    ["google='/a", 'has a quote that doesn’t end'],
    ["google='/a \"b'", 'has a quote that doesn’t end'],
  ])('%s is the provider’s fault', (text, fault) => {
    expect(readProviderFlag(text)).toEqual({ ok: true, provider: { ok: false, name: 'google', fault } });
  });

  test.each(['', 'google', '=/a', 'a b=/a', "'google=/a'"])('%j is no provider', (text) => {
    expect(readProviderFlag(text)).toEqual({
      ok: false,
      message: "expected NAME='/path/to/plugin --flag value'",
    });
  });

  it('has an end', () => {
    expect(readProviderFlag(`a=${'x'.repeat(16 * 1024)}`)).toMatchObject({ ok: false });
  });
});
