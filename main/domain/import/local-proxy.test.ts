import { describe, expect, test } from 'vitest';
import { Secret } from '../../base/secret.ts';
import type { KubeCluster } from './kubeconfig.ts';
import { localProxyNotes } from './local-proxy.ts';
import { planImport } from './plan-import.ts';
import { importOptions, kubeCluster, kubeconfig, kubeUser } from './testing/kube.ts';

const add = 'lanyard cluster add NAME --server URL --account ACCOUNT --proxy-header HEADER';
const notesOf = (fields: Partial<KubeCluster>) => localProxyNotes(kubeCluster('one', fields));

describe('a proxy that people run by hand', () => {
  test.each<[string, Partial<KubeCluster>, RegExp, boolean]>([
    ['kubectl proxy', { server: 'http://127.0.0.1:8001' }, /kubectl proxy.* import that one/, false],
    ['nginx', { server: 'http://localhost:8080' }, /passes requests on \(nginx, mitmproxy\)/, true],
    [
      'mitmproxy with TLS',
      { server: 'https://localhost:8443', insecureSkipTlsVerify: true },
      /certificate isn’t checked/,
      true,
    ],
    [
      'an IAP tunnel',
      { server: 'https://localhost:8443', tlsServerName: 'api.internal' },
      /a tunnel on this machine to api\.internal .*keep it running/,
      false,
    ],
    ['as curl writes it', { proxyUrl: 'socks5h://127.0.0.1:1080' }, /SOCKS proxy on this machine/, true],
    ['cloudflared', { proxyUrl: 'socks5://LOCALHOST:1234' }, /SOCKS.*LOCALHOST:1234.*cloudflared/, true],
    ['tinyproxy', { proxyUrl: 'http://[::1]:8888' }, /HTTP proxy.*\[::1\]:8888: tinyproxy/, true],
  ])('%s is recognised, and what replaces it is said', (_, fields, text, isReplaced) => {
    const [note, ...more] = notesOf(fields);
    expect(note).toMatch(text);
    expect(note?.endsWith(add)).toBe(isReplaced);
    expect(more).toEqual([]);
  });

  test.each<[string, Partial<KubeCluster>]>([
    ['a server elsewhere', {}],
    ['a proxy elsewhere', { proxyUrl: 'socks5://10.0.0.1:1080' }],
    ['kind', { server: 'https://127.0.0.1:41923' }],
    ['kind by its name', { server: 'https://127.0.0.1:41923', tlsServerName: 'localhost' }],
    ['no address', { server: '127.0.0.1:8001' }],
    ['a host that only begins so', { server: 'http://127.0.0.1.example.com:8001' }],
  ])('%s is none', (_, fields) => {
    expect(notesOf(fields)).toEqual([]);
  });

  test('a password in its address is not repeated', () => {
    expect(String(notesOf({ proxyUrl: 'http://u:canary@127.0.0.1:8888' }))).not.toContain('canary');
  });

  test('is in the plan, also of a context that is not imported', () => {
    const { clusters } = planImport(
      importOptions(
        kubeconfig(
          [kubeUser('bot', { token: new Secret('canary') }), kubeUser('nobody')],
          [
            kubeCluster('bot', { proxyUrl: 'socks5://127.0.0.1:1080' }),
            kubeCluster('nobody', { server: 'http://127.0.0.1:8001' }),
          ],
        ),
      ),
    );
    expect(clusters).toMatchObject([
      { becomes: { cluster: 'bot' }, notes: [expect.stringContaining('SOCKS')] },
      { becomes: { left: expect.any(String) }, notes: [expect.stringContaining('kubectl proxy')] },
    ]);
  });
});
