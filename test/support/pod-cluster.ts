import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCa, issueClientCertificate } from './certificates.ts';
import { type ApiServer, startApiServer } from './kube-apiserver/index.ts';
import { type StreamingKubelet, startStreamingKubelet } from './kubelet/streams.ts';

/** A real kube-apiserver with a node, and on it a pod `web` (container `app`) that runs: see kubelet/streams/main.go. */
export interface PodCluster {
  readonly api: ApiServer;
  readonly kubelet: StreamingKubelet;
  /** The bearer token of `ann`, who may do all. */
  readonly token: string;
  dispose(): Promise<void>;
}

/** `flags`: further ones of kube-apiserver. Needs what `whyNoApiServer` says. */
export async function startPodCluster(flags: readonly string[] = []): Promise<PodCluster> {
  const clientCa = await createCa('cluster clients');
  const kubelet = await startStreamingKubelet(clientCa);
  const folder = mkdtempSync(join(tmpdir(), 'lanyard-pod-cluster-'));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const token = randomUUID();
  const own = await issueClientCertificate(clientCa, { commonName: 'kube-apiserver' });
  const dispose = async () => {
    await api?.dispose();
    await kubelet.dispose();
    rmSync(folder, { recursive: true, force: true });
  };
  let api: ApiServer | null = null;
  try {
    api = await startApiServer({
      clientCa,
      viewers: [],
      flags: [
        `--token-auth-file=${file('tokens.csv', `${token},ann,ann,system:masters\n`)}`,
        `--kubelet-certificate-authority=${file('kubelet.pem', kubelet.caPem)}`,
        `--kubelet-client-certificate=${file('client.pem', own.chainPem)}`,
        `--kubelet-client-key=${file('client.key', own.keyPem)}`,
        '--kubelet-preferred-address-types=InternalIP',
        ...flags,
      ],
    });
    await putPod(api, kubelet.port);
    return { api, kubelet, token, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** No scheduler and no kubelet’s loop runs here: the test is both. */
async function putPod({ ask }: ApiServer, port: number): Promise<void> {
  const namespace = '/api/v1/namespaces/default';
  const status = (of: string, stated: object) =>
    ask('PATCH', `${of}/status`, { status: stated }, 'application/merge-patch+json');
  const statuses = [
    await ask('POST', '/api/v1/nodes', { metadata: { name: 'node' } }),
    await status('/api/v1/nodes/node', {
      addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
    }),
    await ask('POST', `${namespace}/serviceaccounts`, { metadata: { name: 'default' } }),
    await ask('POST', `${namespace}/pods`, {
      metadata: { name: 'web', labels: { app: 'web' } },
      spec: {
        automountServiceAccountToken: false,
        containers: [{ name: 'app', image: 'app', stdin: true }],
      },
    }),
    await ask('POST', `${namespace}/pods/web/binding`, {
      metadata: { name: 'web' },
      target: { kind: 'Node', name: 'node' },
    }),
    await status(`${namespace}/pods/web`, {
      phase: 'Running',
      podIP: '127.0.0.1',
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [
        {
          name: 'app',
          image: 'app',
          imageID: 'app',
          containerID: 'test://app',
          ready: true,
          restartCount: 0,
          state: { running: { startedAt: new Date().toISOString() } },
        },
      ],
    }),
  ];
  if (statuses.some((each) => each !== 200 && each !== 201)) {
    throw new Error(`node and pod: HTTP statuses ${statuses}`);
  }
}
