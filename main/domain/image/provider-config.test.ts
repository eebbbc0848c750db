import { describe, expect, it } from 'vitest';
import { readProviderConfig } from './provider-config.ts';

const head = 'apiVersion: kubelet.config.k8s.io/v1\nkind: CredentialProviderConfig\nproviders:\n';
const provider = (name: string) =>
  `- name: ${name}\n  matchImages: ["*.io"]\n  defaultCacheDuration: 1m\n  apiVersion: credentialprovider.kubelet.k8s.io/v1\n`;
const read = (text: string) => readProviderConfig([{ path: '/etc/a.yaml', bytes: Buffer.from(text) }]);
const some = (count: number) => Array.from({ length: count }, (_, number) => provider(`p${number}`)).join('');

// All else is compared with the kubelet: test/integration/image-rules.test.ts.
describe('readProviderConfig', () => {
  it('reads 500 providers in YAML', () => {
    const config = read(head + some(500));
    expect(config.ok && config.providers.length).toBe(500);
  });

  it.each([
    ['with too many marks', head + some(2_000)],
    ['of too many characters', `${head}# ${'x'.repeat(300_000)}\n${provider('a')}`],
    ['of too many lines', `${head}${'\n'.repeat(20_000)}${provider('a')}`],
  ])('does not parse a text %s', (_, text) => {
    expect(read(text)).toEqual({
      ok: false,
      message:
        'error decoding config "/etc/a.yaml": yaml: it is too large or too intricate for a configuration',
    });
  });

  it('tells of 100 repeated names at most', () => {
    const config = read(`${head}${provider('a')}${'  name: a\n'.repeat(2_000)}`);
    expect(config.ok ? [] : config.message.match(/already set/g)).toHaveLength(100);
  });
});
