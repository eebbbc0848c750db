import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CertificateAuthority, createCa, issueServerCertificate } from '../certificates.ts';
import { buildGo, findGo } from '../go.ts';
import { start } from '../processes.ts';

/** The part of a kubelet that streams (streams/main.go). */
export interface StreamingKubelet {
  readonly port: number;
  readonly caPem: string;
  /** Where commands run that are executed in a pod. `log` in there is the log of each container. */
  readonly folder: string;
  dispose(): Promise<void>;
}

/** Builds it where that is still to be done (30 s), and starts it. Clients of `clientCa` alone can use it. */
export async function startStreamingKubelet(clientCa: CertificateAuthority): Promise<StreamingKubelet> {
  const go = findGo();
  if (!go.ok) {
    throw new Error(go.why);
  }
  const program = await buildGo(go.path, 'streams', { module: import.meta.dirname });
  const folder = mkdtempSync(join(tmpdir(), 'lanyard-kubelet-'));
  const keys = mkdtempSync(join(tmpdir(), 'lanyard-kubelet-keys-'));
  const file = (name: string, text: string) => {
    writeFileSync(join(keys, name), text, { mode: 0o600 });
    return join(keys, name);
  };
  const ca = await createCa('kubelet CA');
  const serving = await issueServerCertificate(ca, ['127.0.0.1']);
  writeFileSync(join(folder, 'log'), '');
  const running = start(program, [
    folder,
    file('serving.pem', serving.chainPem),
    file('serving.key', serving.keyPem),
    file('clients.pem', clientCa.certificatePem),
  ]);
  const [port = ''] = await running.waitForLine(/^\d+$/);
  return {
    port: Number(port),
    caPem: ca.certificatePem,
    folder,
    dispose: async () => {
      await running.dispose();
      for (const each of [folder, keys]) {
        rmSync(each, { recursive: true, force: true });
      }
    },
  };
}
