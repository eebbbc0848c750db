import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueClientCertificate } from '../support/certificates.ts';
import { Stage } from '../support/stage.ts';
import type { Camera } from './camera.ts';
import type { Person } from './person.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** A broker that knows nothing yet, and somebody's kubeconfig: a token, a certificate and an OpenID login in it. */
export async function openNewcomer(person: Person): Promise<Stage> {
  return Stage.open({
    provider: { origin: 'https://id.corp.example' },
    agent: { env: { HOME: person.home } },
    extend: async (config, own) => {
      config.accounts = {};
      config.clusters = {};
      const folder = join(person.home, '.kube');
      mkdirSync(folder, { mode: 0o700 });
      writeFileSync(join(folder, 'config'), JSON.stringify(await kubeconfig(own), null, 2), { mode: 0o600 });
    },
  });
}

/** The invitation, and the plan of an import. */
export async function takeFirstSteps(camera: Camera): Promise<void> {
  const { page } = camera;
  await camera.go('#/clusters', /plain text/);
  await camera.take('start');
  await camera.go('#/import', /kubectl|users|clusters/);
  await page.getByRole('button', { name: 'Import', exact: true }).waitFor();
  await camera.take('import');
}

async function kubeconfig({ api, botToken, clientCa, provider }: Omit<Stage, 'agent'>): Promise<object> {
  const authority = base64(api.caPem);
  const certificate = await issueClientCertificate(clientCa, {
    commonName: 'dev',
    organizations: ['platform'],
  });
  const login = [
    'oidc-login',
    'get-token',
    `--oidc-issuer-url=${provider.issuer}`,
    `--oidc-client-id=${provider.clientId}`,
    ...(provider.caPem === null ? [] : [`--certificate-authority-data=${base64(provider.caPem)}`]),
  ];
  const users: Record<string, object> = {
    dev: {
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1',
        command: 'kubectl',
        args: login,
        interactiveMode: 'IfAvailable',
      },
    },
    edge: {
      'client-certificate-data': base64(certificate.chainPem),
      'client-key-data': base64(certificate.keyPem),
    },
    vendor: { token: botToken },
  };
  const clusters: Record<string, [string, string]> = {
    'prod-eu': ['https://10.20.0.1:6443', 'dev'],
    'prod-us': ['https://prod.us-west-2.corp.example', 'dev'],
    'edge-01': ['https://edge-01.corp.example:6443', 'edge'],
    vendor: ['https://api.vendor.example', 'vendor'],
  };
  const names = Object.entries(clusters);
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'prod-eu',
    clusters: names.map(([name, [server]]) => ({
      name,
      cluster: { server, 'certificate-authority-data': authority },
    })),
    contexts: names.map(([name, [, user]]) => ({ name, context: { cluster: name, user } })),
    users: Object.entries(users).map(([name, user]) => ({ name, user })),
  };
}
