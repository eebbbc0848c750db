import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueClientCertificate } from './certificates.ts';
import type { Stage } from './stage.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const eks = (name: string) => `arn:aws:eks:eu-west-1:111122223333:cluster/${name}`;

/**
 * The kubeconfig of somebody who has worked with Kubernetes for years: OpenID logins through kubelogin, EKS clusters,
 * client certificates, tokens, kind and minikube, two contexts of one cluster, one without TLS verification, and three
 * that kubectl can’t use. The current one is at the stage’s own API server, or at `server`; the others’ are nobody’s.
 */
export async function fifteenContexts(
  { api, botToken, clientCa, provider }: Omit<Stage, 'agent'>,
  { home, server = api.server }: { home: string; server?: string },
): Promise<object> {
  const authority = base64(api.caPem);
  const login = (clientId: string) => ({
    exec: {
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      command: 'kubectl',
      args: [
        'oidc-login',
        'get-token',
        `--oidc-issuer-url=${provider.issuer}`,
        `--oidc-client-id=${clientId}`,
        '--oidc-extra-scope=email',
        '--oidc-extra-scope=groups',
        ...(provider.caPem === null ? [] : [`--certificate-authority-data=${base64(provider.caPem)}`]),
      ],
      interactiveMode: 'IfAvailable',
    },
  });
  const aws = (cluster: string, profile: string) => ({
    exec: {
      apiVersion: 'client.authentication.k8s.io/v1beta1',
      command: 'aws',
      args: ['--region', 'eu-west-1', 'eks', 'get-token', '--cluster-name', cluster, '--output', 'json'],
      env: [{ name: 'AWS_PROFILE', value: profile }],
    },
  });
  const certificate = async (commonName: string) => {
    const issued = await issueClientCertificate(clientCa, { commonName, organizations: ['system:masters'] });
    return {
      'client-certificate-data': base64(issued.chainPem),
      'client-key-data': base64(issued.keyPem),
    };
  };
  const minikube = await issueClientCertificate(clientCa, { commonName: 'minikube-user' });
  const profile = join(home, '.minikube', 'profiles', 'minikube');
  mkdirSync(profile, { recursive: true, mode: 0o700 });
  writeFileSync(join(profile, 'client.crt'), minikube.chainPem, { mode: 0o600 });
  writeFileSync(join(profile, 'client.key'), minikube.keyPem, { mode: 0o600 });

  const users: Record<string, object> = {
    'oidc-corp': login(provider.clientId),
    'oidc-partner': login('partner'),
    [eks('prod-payments')]: aws('prod-payments', 'prod'),
    [eks('staging-payments')]: aws('staging-payments', 'staging'),
    [eks('prod-data')]: aws('prod-data', 'prod'),
    'edge-admin': await certificate('edge-admin'),
    'kind-dev': await certificate('kubernetes-admin'),
    minikube: {
      'client-certificate': join(profile, 'client.crt'),
      'client-key': join(profile, 'client.key'),
    },
    'ci-bot': { token: botToken },
    lab: { token: 'lab-token' },
    gke_acme_europe: { 'auth-provider': { name: 'gcp' } },
  };
  const secure = (server: string) => ({ server, 'certificate-authority-data': authority });
  const clusters: Record<string, object> = {
    'prod-eu': secure(server),
    'staging-eu': secure('https://staging-eu.k8s.corp.example:6443'),
    partner: secure('https://k8s.partner.example:6443'),
    [eks('prod-payments')]: secure('https://A1B2C3.gr7.eu-west-1.eks.example'),
    [eks('staging-payments')]: secure('https://D4E5F6.gr7.eu-west-1.eks.example'),
    [eks('prod-data')]: secure('https://0A9B8C.gr7.eu-west-1.eks.example'),
    edge: secure('https://edge-01.corp.example:6443'),
    'kind-dev': secure('https://127.0.0.1:38117'),
    minikube: secure('https://192.168.49.2:8443'),
    ci: secure('https://ci.corp.example:6443'),
    lab: { server: 'https://lab.corp.example:6443', 'insecure-skip-tls-verify': true },
    'gke_acme-dev_europe-west4_main': secure('https://34.90.0.1'),
  };
  const context = (cluster: string, user: string, namespace?: string) => ({
    cluster,
    user,
    ...(namespace !== undefined && { namespace }),
  });
  const contexts: Record<string, object> = {
    'prod-eu': context('prod-eu', 'oidc-corp'),
    'prod-eu-kube-system': context('prod-eu', 'oidc-corp', 'kube-system'),
    'staging-eu': context('staging-eu', 'oidc-corp'),
    partner: context('partner', 'oidc-partner'),
    [eks('prod-payments')]: context(eks('prod-payments'), eks('prod-payments')),
    [eks('staging-payments')]: context(eks('staging-payments'), eks('staging-payments')),
    [eks('prod-data')]: context(eks('prod-data'), eks('prod-data')),
    edge: context('edge', 'edge-admin'),
    'kind-dev': context('kind-dev', 'kind-dev'),
    minikube: context('minikube', 'minikube', 'default'),
    ci: context('ci', 'ci-bot'),
    lab: context('lab', 'lab'),
    'gke_acme-dev_europe-west4_main': context('gke_acme-dev_europe-west4_main', 'gke_acme_europe'),
    old: context('old', 'edge-admin'),
    visitor: context('edge', 'visitor'),
  };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'prod-eu',
    clusters: Object.entries(clusters).map(([name, cluster]) => ({ name, cluster })),
    contexts: Object.entries(contexts).map(([name, context]) => ({ name, context })),
    users: Object.entries(users).map(([name, user]) => ({ name, user })),
  };
}

/** A program `aws` that gives tokens as `aws eks get-token` does, in a folder for PATH. */
export function placeAws(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const program = join(folder, 'aws');
  writeFileSync(
    program,
    `#!/bin/sh
printf '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1","spec":{},"status":{"expirationTimestamp":"%s","token":"k8s-aws-v1.stand-in"}}\\n' "$(date -u -d '+14 minutes' +%Y-%m-%dT%H:%M:%SZ)"
`,
  );
  chmodSync(program, 0o755);
}
