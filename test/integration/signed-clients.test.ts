import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signWithBotocore } from '../support/aws/botocore.ts';
import { type SignedFront, serviceName, startSignedFront } from '../support/aws/signed-front.ts';
import { authorizationOf, type ReceivedRequest, valuesOf } from '../support/aws/signed-request.ts';
import { signWithSmithy } from '../support/aws/smithy.ts';
import { type FoundProgram, findHelm, findK9s } from '../support/go-clients.ts';
import { whyNoApiServer } from '../support/kube-apiserver/build.ts';
import { buildKubectl, builtKubectl } from '../support/kubectl/build.ts';
import { type PodCluster, startPodCluster } from '../support/pod-cluster.ts';
import { type RunOptions, run, start } from '../support/processes.ts';
import { Proxied } from '../support/proxied.ts';
import { startOnTerminal } from '../support/pty.ts';
import { unless } from '../support/unless.ts';

/**
 * Clients through the request proxy, which signs, and services of AWS’s that verify, in front of a real kube-apiserver.
 * Each request that they let pass is signed again from its bytes by @smithy/signature-v4 and by botocore.
 */
const why = whyNoApiServer();

const region = 'eu-west-1';
const keys = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'not/a+real=key' };
const services = [
  ['gateway', 'apiGateway'],
  ['lattice', 'lattice'],
] as const;

describe('signed requests', unless(why), () => {
  let cluster: PodCluster;
  let stage: Proxied;
  let helm: FoundProgram;
  let k9s: FoundProgram;
  const fronts = new Map<string, SignedFront>();

  beforeAll(async () => {
    await buildKubectl();
    [helm, k9s] = [await findHelm(), await findK9s()];
    cluster = await startPodCluster();
    appendFileSync(join(cluster.kubelet.folder, 'log'), 'the first line\n');
    const behind = { ...cluster.api, token: cluster.token };
    for (const [name, service] of services) {
      const rules = { region, keys: [keys], now: () => new Date() };
      fronts.set(name, await startSignedFront(service, behind, rules));
    }
    const clusters = services.map(([name, service]) => {
      const { server = '', caPem = '' } = fronts.get(name) ?? {};
      const chain = [{ sign: keys, service: serviceName(service), region }];
      return [name, { server, caPem, token: 'no-signed-request-has-it', chain }] as const;
    });
    stage = await Proxied.open(Object.fromEntries(clusters));
  }, 3_900_000);
  afterAll(async () => {
    await stage?.dispose();
    for (const front of fronts.values()) {
      await front.dispose();
    }
    await cluster?.dispose();
  });

  describe.each(services)('%s', (name, service) => {
    const environment = () => ({ ...stage.home.env, KUBECONFIG: stage.kubeconfig(name) });
    const kubectl = (args: readonly string[], options: RunOptions = {}) =>
      run(builtKubectl.path, args, { ...options, env: { ...environment(), ...options.env } });
    const passed = () => fronts.get(name)?.passed ?? [];

    /** Does it, and has other code sign what came of it: those requests. */
    const allSignedAlike = async (work: () => Promise<void>): Promise<readonly ReceivedRequest[]> => {
      const before = passed().length;
      await work();
      const received = passed().slice(before);
      expect(received).not.toHaveLength(0);
      const statements = received.map((each) => {
        const stated = authorizationOf(each);
        expect(stated).toMatchObject({ region, service: serviceName(service) });
        if (stated === null) {
          throw new Error('it passed without a signature');
        }
        expect(stated.signedHeaders).toEqual(minimal(each));
        return [each, stated, keys] as const;
      });
      const botocore = await signWithBotocore(statements);
      const smithy = await Promise.all(statements.map((each) => signWithSmithy(...each)));
      expect(smithy).toEqual(botocore);
      expect(received.map((each) => valuesOf(each, 'authorization'))).toEqual(
        botocore.map(({ authorization }) => [authorization]),
      );
      return received;
    };

    test('kubectl lists by a selector, applies, and watches', async () => {
      const received = await allSignedAlike(async () => {
        const selector = ['-l', 'app in (web,a-b), !x/y', '--field-selector', 'metadata.name=web'];
        expect(await kubectl(['get', 'pods', ...selector, '-o', 'name'])).toMatchObject({
          code: 0,
          stdout: 'pod/web\n',
        });
        const applied = {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name, annotations: { text: 'ä b+c%' } },
        };
        const input = JSON.stringify(applied);
        expect(await kubectl(['apply', '-f', '-'], { input })).toMatchObject({ code: 0 });
        expect(await kubectl(['apply', '--server-side', '-f', '-'], { input })).toMatchObject({ code: 0 });
        const watching = start(builtKubectl.path, ['get', 'pods', '-w', '-o', 'name'], {
          env: environment(),
        });
        await watching.waitForLine(/^pod\/web$/);
        await watching.dispose();
      });
      const bodies = received.filter(({ method }) => ['POST', 'PATCH'].includes(method));
      expect(bodies.length).toBeGreaterThan(1);
      const empty = createHash('sha256').digest('hex');
      const hashes = bodies.map((each) => valuesOf(each, 'x-amz-content-sha256')[0]);
      expect(hashes.every((hash) => (hash === 'UNSIGNED-PAYLOAD') === (service === 'lattice'))).toBe(true);
      expect(hashes).not.toContain(empty);
    });

    test.each([
      ['WebSocket', 'true'],
      ['SPDY', 'false'],
    ])('kubectl executes over %s', async (_, isWebSocket) => {
      const received = await allSignedAlike(async () => {
        const command = ['exec', '-i', 'web', '--', 'sh', '-c', 'cat; echo "a b&c=d"; exit 4'];
        const env = { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: isWebSocket };
        expect(await kubectl(command, { input: 'hello ', env })).toMatchObject({
          code: 4,
          stdout: 'hello a b&c=d\n',
        });
      });
      const upgraded = received.filter((each) => valuesOf(each, 'upgrade').length > 0);
      expect(upgraded.map((each) => valuesOf(each, 'upgrade').join().toLowerCase())).toEqual([
        isWebSocket === 'true' ? 'websocket' : 'spdy/3.1',
      ]);
    });

    test('kubectl follows a log', async () => {
      await allSignedAlike(async () => {
        const following = start(builtKubectl.path, ['logs', '-f', 'web'], { env: environment() });
        await following.waitForLine(/^the first line$/);
        appendFileSync(join(cluster.kubelet.folder, 'log'), `a line for ${name}\n`);
        await following.waitForLine(new RegExp(`^a line for ${name}$`));
        await following.dispose();
      });
    });

    test('helm installs, lists and uninstalls', async ({ skip }) => {
      if (!helm.ok) {
        skip(helm.why);
        return;
      }
      const { path } = helm;
      const chart = join(stage.home.outside, `chart-${name}`);
      mkdirSync(join(chart, 'templates'), { recursive: true });
      writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: small\nversion: 1.0.0\n');
      writeFileSync(
        join(chart, 'templates', 'configmap.yaml'),
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\n',
      );
      const call = (...args: string[]) => run(path, args, { env: environment() });
      await allSignedAlike(async () => {
        expect(await call('install', `small-${name}`, chart)).toMatchObject({ code: 0 });
        expect((await call('list', '-q')).stdout).toBe(`small-${name}\n`);
        expect(await call('uninstall', `small-${name}`, '--wait')).toMatchObject({ code: 0 });
      });
    });

    test('k9s shows pods and a log', async ({ skip }) => {
      if (!k9s.ok) {
        skip(k9s.why);
        return;
      }
      const { path } = k9s;
      const line = 'stty rows 40 cols 160; exec "$0" --command pods --splashless';
      await allSignedAlike(async () => {
        const screen = startOnTerminal('sh', ['-c', line, path], {
          env: { ...environment(), TERM: 'xterm-256color' },
        });
        try {
          await screen.waitForText(/web.*Running/s, 60_000);
          screen.send('l');
          await screen.waitForText('first', 60_000);
          screen.send('\x03');
          await screen.ended;
        } finally {
          await screen.dispose();
        }
      });
    }, 240_000);
  });

  test('no request was refused', () => {
    const verdicts = services.map(([name]) => new Set(fronts.get(name)?.verdicts));
    expect(verdicts).toEqual(services.map(() => new Set([0])));
  });
});

/** The headers that have to be signed, and no others: signing more breaks at some services. */
function minimal({ headers }: ReceivedRequest): string[] {
  const signed = headers.map(([name]) => name).filter((name) => /^(host|content-type|x-amz-.*)$/.test(name));
  return [...new Set(signed)].sort();
}
