import { chmodSync, constants, copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type SignedFront, startSignedFront } from '../support/aws/signed-front.ts';
import { createCa, issueClientCertificate, issueServerCertificate } from '../support/certificates.ts';
import { startConnectProxy } from '../support/connect-proxy.ts';
import { linkDockerHelper } from '../support/docker-helper.ts';
import { builtHelper } from '../support/home.ts';
import { execVersion, findKubectls } from '../support/kubectl.ts';
import { startKubernetesApi } from '../support/kubernetes-api.ts';
import { run } from '../support/processes.ts';
import { codeLine, mustBeGood, Stage, type StageConfig, type StageOptions } from '../support/stage.ts';
import { createStandInBrowser } from '../support/stand-in-browser.ts';
import { afternoonZone } from './camera.ts';
import { makeFleet, useSome } from './fleet.ts';
import { recordPast } from './past.ts';
import type { Person } from './person.ts';
import { failingPlugin, tokenPlugin } from './plugins.ts';

const day = 86_400_000;
const issuer = 'https://id.corp.example';

/** Clusters, their addresses and accounts: what the pictures show. */
const places = {
  'prod-eu': ['10.20.0.1:6443', 'corp'],
  'prod-ap': ['10.30.0.1:6443', 'corp'],
  'prod-us': ['prod.us-west-2.corp.example', 'eks'],
  'staging-eu': ['10.20.8.1:6443', 'corp'],
  'staging-us': ['staging.us-east-1.corp.example', 'corp-us'],
  'gke-data': ['data.europe-west4.corp.example', 'gcloud'],
  'edge-01': ['edge-01.corp.example:6443', 'edge'],
  'edge-02': ['edge-02.corp.example:6443', 'step'],
  'kind-dev': ['kind.dev.corp.example:6443', 'kind'],
  'lab-gpu': ['lab.corp.example:6443', 'lab'],
  'build-farm': ['farm.corp.example:6443', 'farm'],
  vendor: ['api.vendor.example', 'vendor'],
  payments: ['a1b2c3d4e5.execute-api.eu-west-1.amazonaws.com', 'aws'],
} as const;

/** What API Gateway in front of a cluster takes. */
const awsKeys = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'not/a-real+key-of-AWS' };
const region = 'eu-west-1';

const hostOf = (address: string) => address.replace(/:\d+$/, '');
const withPort = (address: string) => (/:\d+$/.test(address) ? address : `${address}:443`);

export interface World {
  stage: Stage;
  /** What the broker had opened in the system's browser. */
  opened(): string[];
  /** For kubectl and a terminal's shell. */
  env: Readonly<Record<string, string>>;
  dispose(): Promise<void>;
}

/**
 * The real thing, small: provider, API servers, broker, helper and kubectl, with a person's clusters and accounts. The
 * addresses are names, which a proxy leads to the servers of this world.
 */
export async function openWorld(
  person: Person,
  openStage: (options: StageOptions) => Promise<Stage> = Stage.open,
): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const display = stack.adopt(createStandInBrowser(), (each) => each.dispose());
  const routes: Record<string, number> = {};
  const proxy = stack.adopt(await startConnectProxy({ routes }), (each) => each.dispose());
  const sre = (name: string) => ({ name, groups: ['platform', 'sre'] });
  const plugins = {
    eks: tokenPlugin(person.program('aws'), ['eks', 'get-token', '--cluster-name', 'prod'], {
      ago: 6,
      left: 9,
      user: sre('arn:aws:iam::000000000000:role/dev'),
    }),
    gcloud: tokenPlugin(person.program('gke-gcloud-auth-plugin'), [], {
      ago: 4,
      left: 56,
      user: sre('dev@corp.example'),
    }),
    step: tokenPlugin(person.program('step'), ['certificate', 'token'], {
      ago: 90,
      left: 150,
      user: sre('edge:dev'),
    }),
    farm: failingPlugin(person.program('tsh'), ['kube', 'credentials', '--kube-cluster=build-farm']),
  };
  for (const { plugin } of Object.values(plugins)) {
    stack.defer(() => plugin.dispose());
  }
  const now = Date.now();
  const ends = { edge: now + 5.2 * day, kind: now + 335 * day, lab: now + 70 * day, vendor: null };
  const known = Object.values(plugins).flatMap(({ known }) =>
    known ? [[known.token, known.user] as const] : [],
  );
  const ca = await createCa('id.corp.example');
  let gateway: SignedFront | undefined;
  // Another home’s until now, in one of the pictures.
  const kube = join(person.home, '.kube');
  rmSync(kube, { recursive: true, force: true });
  mkdirSync(kube, { mode: 0o700 });
  const env = { ...display.env, HTTPS_PROXY: proxy.url, TZ: afternoonZone() };
  const stage = stack.adopt(
    await openStage({
      apiHosts: ['127.0.0.1', 'localhost', ...Object.values(places).map(([address]) => hostOf(address))],
      provider: {
        origin: issuer,
        tls: { ca, certificate: await issueServerCertificate(ca, ['127.0.0.1', 'id.corp.example']) },
        lifetimes: { idTokenSeconds: 3600 },
        identities: { dev: { name: 'dev', email: 'dev@corp.example', groups: ['platform', 'sre'] } },
      },
      tokens: Object.fromEntries(known),
      agent: { env },
      kubectl: { file: join(kube, 'config') },
      extend: async (config, own) => {
        fill(config, own, plugins);
        const behind = { server: own.api.server, caPem: own.api.caPem, token: own.botToken };
        gateway = await startSignedFront('apiGateway', behind, {
          region,
          keys: [awsKeys],
          now: () => new Date(),
        });
        config.clusters['payments'] = {
          server: `https://${places.payments[0]}`,
          certificateAuthority: own.home.write('gateway-ca.pem', gateway.caPem),
          tlsServerName: '127.0.0.1',
          account: 'aws',
          proxy: {
            chain: [
              { set: 'X-Team', value: 'payments' },
              { sign: 'aws', service: 'execute-api', region },
            ],
          },
        };
        config.inventories = { fleet: makeFleet(person.home, own.api.caPem) };
        recordPast(own.home.file('history'), Date.now(), ends);
      },
    }),
    (each) => each.dispose(),
  );
  stack.defer(async () => void (await gateway?.dispose()));
  const lab = stack.adopt(
    await startKubernetesApi({ ca: stage.clientCa, hosts: ['lab.corp.example'] }),
    (each) => each.dispose(),
  );
  const port = (address: string) => Number(new URL(address).port);
  routes['id.corp.example:443'] = port(stage.provider.jwksUri);
  for (const [address, account] of Object.values(places)) {
    const servers: Record<string, string | undefined> = { lab: lab.server, aws: gateway?.server };
    routes[withPort(address)] = port(servers[account] ?? stage.api.server);
  }
  await giveSecrets(stage, ends);
  await logIn(stage);
  await useSome(stage);
  const shell = await shellEnvironment(stage, person, proxy.url);
  await callAll(shell);
  await pullAll(stage, person);
  const kept = stack.move();
  return { stage, opened: display.opened, env: shell, dispose: () => kept.disposeAsync() };
}

type Own = Omit<Stage, 'agent'>;

function fill(config: StageConfig, own: Own, plugins: Record<string, { account: object }>): void {
  const oidc = own.oidcAccount();
  config.accounts = {
    corp: oidc,
    'corp-us': oidc,
    edge: { clientCertificate: {} },
    kind: { clientCertificate: {} },
    lab: { clientCertificate: {} },
    vendor: { staticToken: {} },
    aws: { aws: { accessKeyId: awsKeys.accessKeyId } },
    'ghcr-bot': { registry: { userName: 'corp-bot' } },
    hub: { registry: { userName: 'corpdev' } },
    ...Object.fromEntries(Object.entries(plugins).map(([name, { account }]) => [name, account])),
  };
  config.registries = {
    ghcr: { matchImages: ['ghcr.io'], account: 'ghcr-bot' },
    'docker-hub': { matchImages: ['docker.io'], account: 'hub' },
    azure: { matchImages: ['*.azurecr.io'], account: 'corp', userName: 'token', cacheDuration: '10m' },
    lab: { matchImages: ['registry.lab.corp.example:5000'], account: 'farm', approval: 'perTerminal' },
  };
  const clusterCa = own.home.write('cluster-ca.pem', own.api.caPem);
  const labCa = own.home.write('lab-ca.pem', own.clientCa.certificatePem);
  config.clusters = Object.fromEntries(
    Object.entries(places).map(([name, [address, account]]) => [
      name,
      {
        server: `https://${address}`,
        certificateAuthority: account === 'lab' ? labCa : clusterCa,
        account,
        ...(name === 'prod-ap' && { approval: 'perTerminal' }),
      },
    ]),
  );
}

async function giveSecrets(
  stage: Stage,
  ends: Readonly<Record<'edge' | 'kind' | 'lab', number>>,
): Promise<void> {
  const set = async (account: string, input: string) =>
    mustBeGood(await stage.lanyard(['secret', 'set', account], { input }));
  const pair = async (commonName: string, notBefore: number, end: number) => {
    const organizations = ['platform'];
    const life = { notBefore: new Date(Date.now() - notBefore * day), notAfter: new Date(end) };
    const { chainPem, keyPem } = await issueClientCertificate(stage.clientCa, {
      commonName,
      organizations,
      ...life,
    });
    return `${chainPem}${keyPem}`;
  };
  await set('edge', await pair('dev', 84, ends.edge));
  await set('kind', await pair('kubernetes-admin', 30, ends.kind));
  await set('lab', await pair('dev', 20, ends.lab));
  await set('vendor', stage.botToken);
  await set('aws/secretAccessKey', awsKeys.secretAccessKey);
  await set('ghcr-bot', 'not a password of anyone');
}

async function logIn(stage: Stage): Promise<void> {
  const running = stage.start(builtHelper, ['login', 'corp', '--device']);
  running.closeInput();
  const [, code = ''] = await running.waitForLine(codeLine);
  await stage.provider.person.approveDevice(code, { login: 'dev' });
  mustBeGood(await running.ended);
}

/**
 * Each cluster is asked by the real kubectl, started by a shell as a person's is, so that it is known by its own name.
 * The one that takes no credential is asked more than once by one process: so it is known for that.
 */
async function callAll(env: Readonly<Record<string, string>>): Promise<void> {
  for (const name of Object.keys(places).reverse()) {
    if (name !== 'staging-us' && name !== 'prod-ap') {
      const what = name === 'lab-gpu' ? 'get pods' : 'get --raw /version';
      await run('bash', ['-c', `"$K" --context ${name} ${what}; true`], { env });
    }
  }
}

/** What kubectl is run with. `$K`: a copy under its own name, for the tests' have their version in theirs. */
async function shellEnvironment(
  stage: Stage,
  person: Person,
  proxy: string,
): Promise<Record<string, string>> {
  const { newest } = findKubectls();
  const kubectl = person.program('kubectl');
  copyFileSync(newest.path, kubectl, constants.COPYFILE_FICLONE);
  chmodSync(kubectl, 0o755);
  const kubeconfig = await stage.writeKubeconfig(execVersion(newest));
  return { ...stage.home.env, HTTPS_PROXY: proxy, K: kubectl, KUBECONFIG: kubeconfig };
}

/** What docker asks its helper for: a program of docker's name asks for each. */
async function pullAll(stage: Stage, person: Person): Promise<void> {
  const docker = person.program('docker');
  copyFileSync('/bin/bash', docker, constants.COPYFILE_FICLONE);
  chmodSync(docker, 0o755);
  const helper = linkDockerHelper(stage.home);
  for (const host of ['index.docker.io', 'corp.azurecr.io', 'ghcr.io']) {
    const ask = `"$D" -c 'docker-credential-lanyard get <<< ${host}; true'; true`;
    await run('bash', ['-c', ask], {
      env: { ...stage.home.env, D: docker, PATH: `${helper.folder}:${process.env['PATH']}` },
    });
  }
}
