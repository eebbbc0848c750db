import { describe, expect, it } from 'vitest';
import { formatExecCredential, isFromClientGo, parseExecInfo, toExecClusterInfo } from './exec-credential.ts';

const pem = '-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n';

function info(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function request(bytes: Buffer | null) {
  const parsed = parseExecInfo(bytes);
  if (!parsed.ok) {
    throw new Error(parsed.message);
  }
  return parsed.request;
}

describe('parseExecInfo', () => {
  it('reads every field of spec.cluster (KEP-541/cluster-info), and the lock file (KEP-2718/lock)', () => {
    const parsed = request(
      info({
        apiVersion: 'client.authentication.k8s.io/v1',
        kind: 'ExecCredential',
        spec: {
          interactive: true,
          lockFilePath: '/run/user/1000/kubectl.lock',
          cluster: {
            server: 'https://1.2.3.4:8080',
            'tls-server-name': 'bar',
            'insecure-skip-tls-verify': true,
            'certificate-authority-data': Buffer.from(pem).toString('base64'),
            'proxy-url': 'https://4.5.6.7:9090/proxy',
            'disable-compression': true,
            config: { audience: '06e3fbd18de8' },
          },
        },
      }),
    );
    expect(parsed).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1',
      interactive: true,
      lockFilePath: '/run/user/1000/kubectl.lock',
      cluster: {
        server: 'https://1.2.3.4:8080',
        tlsServerName: 'bar',
        insecureSkipTlsVerify: true,
        certificateAuthorityPem: pem,
        proxyUrl: 'https://4.5.6.7:9090/proxy',
        disableCompression: true,
        config: { audience: '06e3fbd18de8' },
      },
    });
  });

  it.each([
    ['not set', null],
    ['empty', Buffer.alloc(0)],
  ])('takes a variable that is %s for v1beta1 without a cluster', (_, bytes) => {
    expect(request(bytes)).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      interactive: false,
      cluster: null,
      lockFilePath: null,
    });
  });

  it.each([
    ['cluster and interactive, as kubectl up to 1.23 sends it', { spec: {} }],
    ['a spec', {}],
  ])('takes v1alpha1 without %s', (_, rest) => {
    const parsed = request(
      info({ apiVersion: 'client.authentication.k8s.io/v1alpha1', kind: 'ExecCredential', ...rest }),
    );
    expect(parsed).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1alpha1',
      interactive: false,
      cluster: null,
      lockFilePath: null,
    });
  });

  it('ignores fields that it does not know', () => {
    const parsed = request(
      info({
        apiVersion: 'client.authentication.k8s.io/v1',
        kind: 'ExecCredential',
        new: 1,
        spec: { interactive: false, other: {}, cluster: { server: 'https://a', shiny: true } },
      }),
    );
    expect(parsed.cluster?.server).toBe('https://a');
  });

  const v1 = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential' };
  it.each([
    ['not JSON', Buffer.from('{'), 'kube.execInfo.broken'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'kube.execInfo.broken'],
    ['blanks', Buffer.from('   '), 'kube.execInfo.broken'],
    ['null', info(null), 'kube.execInfo.broken'],
    ['an array', info([]), 'kube.execInfo.broken'],
    ['a list for its spec', info({ ...v1, spec: [] }), 'kube.execInfo.broken'],
    ['another kind', info({ ...v1, kind: 'Pod' }), 'kube.execInfo.broken'],
    ['a server that is no text', info({ ...v1, spec: { cluster: { server: 5 } } }), 'kube.execInfo.broken'],
    [
      'a CA that is not base64',
      info({ ...v1, spec: { cluster: { server: 'https://a', 'certificate-authority-data': '%' } } }),
      'kube.execInfo.broken',
    ],
    ['larger than 1 MiB', Buffer.alloc(1024 * 1024 + 1, 0x20), 'kube.execInfo.broken'],
    ['another group', info({ ...v1, apiVersion: 'v1' }), 'kube.execInfo.version'],
    [
      'a version of tomorrow',
      info({ ...v1, apiVersion: 'client.authentication.k8s.io/v2' }),
      'kube.execInfo.version',
    ],
  ])('refuses what is %s', (_, bytes, code) => {
    expect(parseExecInfo(bytes)).toMatchObject({ ok: false, reason: 'usage', code });
  });

  it('names the field that is wrong', () => {
    const refusal = parseExecInfo(info({ ...v1, spec: { cluster: { server: 5 } } }));
    expect(refusal).toMatchObject({ message: expect.stringContaining('spec.cluster.server') });
  });

  it('names the supported versions where it does not know one', () => {
    const refusal = parseExecInfo(info({ ...v1, apiVersion: 'client.authentication.k8s.io/v2' }));
    expect(refusal).toMatchObject({ hint: expect.stringContaining('client.authentication.k8s.io/v1beta1') });
  });
});

describe('isFromClientGo', () => {
  const spec = '"spec":{"interactive":false}';

  it.each([
    ['client-go', `{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",${spec}}\n`, true],
    ['Python', `{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", ${spec}}`, false],
    [
      'kube-rs, which asks ahead of the end',
      `{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",${spec}}`,
      false,
    ],
    ['nothing', '', false],
  ])('what %s writes', (_, text, isFrom) => {
    expect(isFromClientGo(Buffer.from(text))).toBe(isFrom);
  });

  it('what no one wrote', () => {
    expect(isFromClientGo(null)).toBe(false);
  });
});

describe('toExecClusterInfo', () => {
  it('is the way back (KEP-541/load-exec-credential)', () => {
    const cluster = {
      server: 'https://1.2.3.4:8080',
      tlsServerName: 'bar',
      insecureSkipTlsVerify: true,
      certificateAuthorityPem: pem,
      proxyUrl: 'socks5://127.0.0.1:1080',
    };
    const bytes = info({ ...v1(), spec: { interactive: false, cluster: toExecClusterInfo(cluster) } });
    expect(request(bytes).cluster).toMatchObject(cluster);
  });

  it('has only fields of a kubeconfig’s Cluster, the CA as data (KEP-541/load-exec-credential)', () => {
    // k8s.io/client-go/tools/clientcmd/api/v1.Cluster, but certificate-authority (a path) and extensions.
    const kubeconfigCluster = new Set([
      'server',
      'tls-server-name',
      'insecure-skip-tls-verify',
      'certificate-authority-data',
      'proxy-url',
      'disable-compression',
    ]);
    const all = toExecClusterInfo({
      server: 'https://a',
      tlsServerName: 'b',
      insecureSkipTlsVerify: true,
      certificateAuthorityPem: pem,
      proxyUrl: 'http://c',
    });
    expect(Object.keys(all).filter((key) => !kubeconfigCluster.has(key))).toEqual([]);
    expect(Object.keys(all)).toHaveLength(5);
  });

  function v1() {
    return { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential' };
  }
});

describe('formatExecCredential', () => {
  it('answers with a token and its end in whole seconds, rounded down (KEP-541/tokens, KEP-541/expiry)', () => {
    const reply = formatExecCredential('client.authentication.k8s.io/v1beta1', {
      token: 'abc',
      clientCertificateData: null,
      clientKeyData: null,
      expiresAt: Date.UTC(2026, 0, 2, 3, 4, 5, 999),
    });
    expect(JSON.parse(reply)).toEqual({
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      kind: 'ExecCredential',
      status: { token: 'abc', expirationTimestamp: '2026-01-02T03:04:05Z' },
    });
  });

  it('answers with a certificate and its key, without an end where there is none (KEP-541/certificates, KEP-541/expiry)', () => {
    const reply = formatExecCredential('client.authentication.k8s.io/v1', {
      token: null,
      clientCertificateData: 'CERT',
      clientKeyData: 'KEY',
      expiresAt: null,
    });
    expect(JSON.parse(reply).status).toEqual({ clientCertificateData: 'CERT', clientKeyData: 'KEY' });
  });

  it('answers with the proxy’s URL and CA beside the token (KEP-2718/proxy-config)', () => {
    const reply = formatExecCredential('client.authentication.k8s.io/v1', {
      token: 'abc',
      clientCertificateData: null,
      clientKeyData: null,
      expiresAt: null,
      proxyConfig: { url: 'unix:///run/a.sock', certificateAuthorityPem: 'PEM' },
    });
    expect(JSON.parse(reply).status).toEqual({
      token: 'abc',
      proxyConfig: { url: 'unix:///run/a.sock', 'certificate-authority-data': 'UEVN' },
    });
  });
});
