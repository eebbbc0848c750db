import { request } from 'node:https';
import { describe, expect, it } from 'vitest';
import { startKubernetesApi } from '../../test/support/kubernetes-api.ts';
import { toExecClusterInfo } from '../domain/server/exec-credential.ts';
import { fromClusterConnection, loadExecCredential, toClusterConnection } from './load-exec-credential.ts';

const cluster = {
  server: 'https://api.example.com:6443',
  tlsServerName: 'kubernetes',
  insecureSkipTlsVerify: false,
  certificateAuthorityPem: '-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n',
  proxyUrl: 'http://127.0.0.1:3128',
};

describe('loadExecCredential (KEP-541/load-exec-credential)', () => {
  it.each([
    ['not set', {}],
    ['empty', { KUBERNETES_EXEC_INFO: '' }],
  ])('is an error where the variable is %s', (_, env) => {
    expect(() => loadExecCredential(env)).toThrow(expect.objectContaining({ code: 'kube.execInfo.unset' }));
  });

  it('is an error where it holds no known version', () => {
    const env = {
      KUBERNETES_EXEC_INFO: '{"apiVersion":"client.authentication.k8s.io/v9","kind":"ExecCredential"}',
    };
    expect(() => loadExecCredential(env)).toThrow(expect.objectContaining({ code: 'kube.execInfo.version' }));
  });

  it('has no connection where the client told no cluster', () => {
    const env = {
      KUBERNETES_EXEC_INFO: '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential"}',
    };
    expect(loadExecCredential(env).connection).toBeNull();
  });

  it('makes an anonymous connection that checks the server by the cluster’s own CA and name', () => {
    const env = {
      KUBERNETES_EXEC_INFO: JSON.stringify({
        apiVersion: 'client.authentication.k8s.io/v1',
        kind: 'ExecCredential',
        spec: {
          interactive: false,
          cluster: {
            server: cluster.server,
            'tls-server-name': cluster.tlsServerName,
            'certificate-authority-data': Buffer.from(cluster.certificateAuthorityPem).toString('base64'),
            'proxy-url': cluster.proxyUrl,
          },
        },
      }),
    };
    const { connection } = loadExecCredential(env);
    expect(connection).toEqual({
      baseUrl: new URL('https://api.example.com:6443'),
      tls: { ca: cluster.certificateAuthorityPem, servername: 'kubernetes', rejectUnauthorized: true },
      proxyUrl: new URL('http://127.0.0.1:3128'),
    });
  });

  it('goes both ways', () => {
    expect(fromClusterConnection(toClusterConnection(cluster))).toEqual(cluster);
  });

  it('does not check the server only where the cluster says so', () => {
    expect(toClusterConnection({ ...cluster, insecureSkipTlsVerify: true }).tls.rejectUnauthorized).toBe(
      false,
    );
  });

  it('reaches the API server with nothing but spec.cluster, without credentials', async () => {
    const api = await startKubernetesApi({ hosts: ['kubernetes', '127.0.0.1'] });
    const reached = { ...cluster, server: api.server, certificateAuthorityPem: api.caPem, proxyUrl: null };
    const { connection } = loadExecCredential({
      KUBERNETES_EXEC_INFO: JSON.stringify({
        apiVersion: 'client.authentication.k8s.io/v1',
        kind: 'ExecCredential',
        spec: { interactive: false, cluster: toExecClusterInfo(reached) },
      }),
    });
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const { baseUrl, tls } = connection ?? { baseUrl: new URL('https://unset'), tls: {} };
      request(new URL('/api/v1/namespaces/default/pods', baseUrl), { ...tls, agent: false }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(401);
    expect(api.requests).toMatchObject([{ via: 'none', status: 401 }]);
    await api.dispose();
  });
});
