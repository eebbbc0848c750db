import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cluster } from '../../main/contract/config/cluster.ts';
import type { LoadedCluster } from '../../main/domain/loaded-config.ts';
import { createDestinationMatcher } from '../../main/domain/server/destination.ts';
import type { ExecCluster } from '../../main/domain/server/exec-cluster.ts';
import { execInfoBytes } from '../../main/kubeconfig/exec-info-size.ts';
import type { KubeconfigApiVersion } from '../../main/kubeconfig/helper-exec.ts';
import { writeManagedKubeconfig } from '../../main/kubeconfig/write-managed-kubeconfig.ts';
import { createCa, largeCaBundle } from '../support/certificates.ts';
import { makeHome, type TestHome } from '../support/home.ts';
import { execVersion, findKubectls, type Kubectl } from '../support/kubectl.ts';
import { run } from '../support/processes.ts';

/** Real kubectls read the managed kubeconfig, and tell what is in it to the command it names. */
let home: TestHome;
let helperPath: string;
let toldFile: string;
let ca: string;
let largeCa: string;

beforeAll(async () => {
  home = makeHome();
  toldFile = join(home.outside, 'told');
  // Stands in for the helper: notes what it is told, and gives nothing out.
  const script = `#!/bin/sh\nprintf '%s' "$KUBERNETES_EXEC_INFO" > '${toldFile}'\necho "$LANYARD_HOME $*" > '${toldFile}.args'\nexit 13\n`;
  helperPath = home.write("it's a helper", script, 0o700);
  chmodSync(helperPath, 0o700);
  const authority = await createCa('cluster');
  ca = authority.certificatePem;
  largeCa = await largeCaBundle(authority, 90 * 1024);
});
afterAll(() => home.dispose());

function aCluster(name: string, fields: object = {}, pem: string | null = ca): LoadedCluster {
  const config = cluster.parse({ server: 'https://127.0.0.1:1', account: 'corp', ...fields });
  return { name, config, certificateAuthorityPem: pem };
}

async function written(clusters: LoadedCluster[], apiVersion: KubeconfigApiVersion): Promise<string> {
  const path = home.file('kubeconfig');
  writeFileSync(path, '');
  await writeManagedKubeconfig({ path, clusters, helperPath, home: home.path, apiVersion });
  return path;
}

function kubectl({ path }: Kubectl, ...args: string[]) {
  return run(path, args, { env: { ...home.env, LANYARD_HOME: undefined } });
}

const { oldest, newest } = findKubectls();
const both = [...new Map([oldest, newest].map((each) => [each.version, each])).values()];

describe.each(both)('kubectl $version', (binary) => {
  test('reads the whole file as it is meant', async () => {
    const names = ['prod', 'on', '1_0', 'arn:aws:eks:eu:1:cluster/p', 'a@b'];
    const clusters = names.map((name) => aCluster(name, { tlsServerName: 'api.example' }));
    const path = await written(clusters, execVersion(binary));
    const view = await kubectl(binary, 'config', 'view', '--raw', '-o', 'json', '--kubeconfig', path);
    expect([view.stderr, view.code]).toEqual(['', 0]);
    const value = JSON.parse(view.stdout);
    expect(value['current-context']).toBe('prod');
    expect(value.contexts.map((each: { name: string }) => each.name).sort()).toEqual(names.toSorted());
    expect(value.clusters[0].cluster).toMatchObject({
      server: 'https://127.0.0.1:1',
      'certificate-authority-data': Buffer.from(ca).toString('base64'),
    });
    expect(value.users).toHaveLength(names.length);
    const use = await kubectl(binary, 'config', 'use-context', 'on', '--kubeconfig', path);
    expect(use.code).toBe(0);
    await writeManagedKubeconfig({ path, clusters, helperPath, home: null, apiVersion: 'v1' });
    const current = await kubectl(binary, 'config', 'current-context', '--kubeconfig', path);
    expect(current.stdout.trim()).toBe('on');
  });

  test.each<[string, () => LoadedCluster]>([
    ['a plain cluster', () => aCluster('prod')],
    ['no CA', () => aCluster('prod', {}, null)],
    ['insecure', () => aCluster('prod', { insecureSkipTlsVerify: true }, null)],
    ['a name and a proxy', () => aCluster('prod', { tlsServerName: 'api', proxyUrl: 'http://127.0.0.1:2' })],
    ['a path and a port', () => aCluster('prod', { server: 'https://127.0.0.1:1/k8s/clusters/c-1' })],
    ['a CA of 90 KB', () => aCluster('prod', {}, largeCa)],
  ])(
    'KEP-541/cluster-info, KEP-541/cluster-config: what it tells the helper of %s is that cluster',
    async (_name, make) => {
      const known = make();
      const apiVersion = execVersion(binary);
      const path = await written([known], apiVersion);
      writeFileSync(toldFile, '');
      const get = await kubectl(binary, 'get', '--raw', '/version', '--kubeconfig', path);
      expect(get.stderr).toContain('failed with exit code 13');
      const told = readFileSync(toldFile, 'utf8');
      const info = JSON.parse(told);
      expect(info.apiVersion).toBe(`client.authentication.k8s.io/${apiVersion}`);
      const asked = info.spec.cluster;
      const requested: ExecCluster = {
        server: asked.server,
        tlsServerName: asked['tls-server-name'] ?? null,
        insecureSkipTlsVerify: asked['insecure-skip-tls-verify'] ?? false,
        certificateAuthorityPem: asked['certificate-authority-data']
          ? Buffer.from(asked['certificate-authority-data'], 'base64').toString()
          : null,
        proxyUrl: asked['proxy-url'] ?? null,
      };
      expect(createDestinationMatcher().match(requested, known)).toEqual({ ok: true });
      expect(asked.config).toEqual({ lanyard: { cluster: 'prod' } });
      expect(readFileSync(`${toldFile}.args`, 'utf8').trim()).toBe(
        `${home.path} kube-credential --account corp --cluster prod`,
      );
      // The size that decides about provideClusterInfo is the true one; kubectl before 1.22 says no `interactive`.
      const size = Buffer.byteLength(`KUBERNETES_EXEC_INFO=${told}`) + 1;
      const unsaid = apiVersion === 'v1beta1' ? ',"interactive":false'.length : 0;
      expect(execInfoBytes(known, apiVersion)).toBe(size + unsaid);
    },
  );

  test.runIf(process.platform === 'linux')(
    'starts the helper up to the last byte that is said to fit, and beyond it without cluster info',
    async () => {
      const apiVersion = execVersion(binary);
      const empty = execInfoBytes(aCluster('prod', {}, 'x'), apiVersion) - 4;
      // Not certificates: kubectl reads a CA only when it connects, and the helper runs before.
      const pemOf = (bytes: number) => largeCa.padEnd(Math.floor((bytes - empty) / 4) * 3, '\n');
      for (const [bytes, withInfo] of [
        [131_072, true],
        [131_072 + 4, false],
      ] as const) {
        const known = aCluster('prod', { withoutInfo: 'allow' }, pemOf(bytes));
        const path = await written([known], apiVersion);
        writeFileSync(toldFile, 'not run');
        const get = await kubectl(binary, 'get', '--raw', '/version', '--kubeconfig', path);
        expect(get.stderr).toContain('failed with exit code 13');
        expect(JSON.parse(readFileSync(toldFile, 'utf8')).spec.cluster !== undefined).toBe(withInfo);
      }
    },
  );
});
