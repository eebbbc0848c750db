import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CertificateAuthority,
  createCa,
  issueClientCertificate,
  issueServerCertificate,
} from '../certificates.ts';
import { start } from '../processes.ts';
import { until } from '../stage.ts';
import { buildApiServer } from './build.ts';

export interface ApiServerOptions {
  /** Whose tokens are taken; without it no one’s. */
  oidc?: { issuer: string; caPem: string; audience: string };
  /** Client certificates of this CA are taken, also its administrator's. */
  clientCa: CertificateAuthority;
  /** Users that may list and watch pods and ConfigMaps. */
  viewers: readonly string[];
  /** Further flags of kube-apiserver. */
  flags?: readonly string[];
}

/** A real kube-apiserver on loopback, with RBAC and structured authentication. */
export interface ApiServer {
  /** Its address, as in a kubeconfig. */
  readonly server: string;
  readonly caPem: string;
  /** Takes id tokens for this audience alone, from a moment later on: the file is read again while it runs. */
  takeAudience(audience: string): void;
  /** As its administrator, with a JSON body of that type. Gives the status. */
  ask(method: string, path: string, body?: object, type?: string): Promise<number>;
  /** What it said; for failed tests. */
  log(): string;
  dispose(): Promise<void>;
}

export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { oidc, clientCa, viewers, flags = [] } = options;
  const binary = await buildApiServer();
  const folder = mkdtempSync(join(tmpdir(), 'lanyard-apiserver-'));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const ca = await createCa('real cluster CA');
  const serving = await issueServerCertificate(ca, ['127.0.0.1']);
  const admin = await issueClientCertificate(clientCa, {
    commonName: 'admin',
    organizations: ['system:masters'],
  });
  const authentication = (audience: string) =>
    JSON.stringify(authenticationFor(oidc && { ...oidc, audience }));
  const port = await freePort();
  const key = file('serving.key', serving.keyPem);
  const running = start(binary, [
    folder,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
    `--secure-port=${port}`,
    `--tls-cert-file=${file('serving.pem', serving.chainPem)}`,
    `--tls-private-key-file=${key}`,
    `--client-ca-file=${file('clients.pem', clientCa.certificatePem)}`,
    `--authentication-config=${file('authentication.json', authentication(oidc?.audience ?? ''))}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--service-account-issuer=https://kubernetes.default.svc',
    // Nobody gets such a token; any key does.
    `--service-account-signing-key-file=${key}`,
    `--service-account-key-file=${join(folder, 'serving.pem')}`,
    ...flags,
  ]);
  const server = `https://127.0.0.1:${port}`;
  const ask = (method: string, path: string, body?: object, type = 'application/json') =>
    new Promise<number>((resolve, reject) => {
      const options = {
        method,
        ca: ca.certificatePem,
        cert: admin.chainPem,
        key: admin.keyPem,
        agent: false,
      };
      const sent = request(`${server}${path}`, options, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
      });
      sent.once('error', reject);
      sent.setHeader('content-type', type);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  const api: ApiServer = {
    server,
    caPem: ca.certificatePem,
    takeAudience: (audience) => {
      renameSync(file('next.json', authentication(audience)), join(folder, 'authentication.json'));
    },
    ask,
    log: () => running.stderr(),
    dispose: async () => {
      await running.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await Promise.race([
      until(async () => ((await ask('GET', '/readyz').catch(() => 0)) === 200 ? true : null), 'readyz'),
      running.ended.then(({ code }) => Promise.reject(new Error(`it ended with ${code}`))),
    ]);
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const apiGroup = 'rbac.authorization.k8s.io';
    // Not Kubernetes' own role `view`: a controller, which doesn't run here, puts that together.
    const made = [
      await ask('POST', `${rbac}/clusterroles`, {
        metadata: { name: 'viewer' },
        rules: [{ apiGroups: [''], resources: ['pods', 'configmaps'], verbs: ['get', 'list', 'watch'] }],
      }),
      await ask('POST', `${rbac}/clusterrolebindings`, {
        metadata: { name: 'viewers' },
        roleRef: { apiGroup, kind: 'ClusterRole', name: 'viewer' },
        subjects: viewers.map((name) => ({ apiGroup, kind: 'User', name })),
      }),
    ];
    if (made.some((status) => status !== 201)) {
      throw new Error(`the role and its binding: HTTP status ${made}`);
    }
    return api;
  } catch (error) {
    const said = api.log().slice(-2000);
    await api.dispose();
    throw new Error(`kube-apiserver did not start: ${said}`, { cause: error });
  }
}

function authenticationFor(oidc: ApiServerOptions['oidc']): object {
  return {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: oidc
      ? [
          {
            issuer: { url: oidc.issuer, certificateAuthority: oidc.caPem, audiences: [oidc.audience] },
            claimMappings: {
              username: { claim: 'sub', prefix: '' },
              groups: { claim: 'groups', prefix: '' },
            },
          },
        ]
      : [],
  };
}

/** Free a moment ago; kube-apiserver takes no port 0. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
