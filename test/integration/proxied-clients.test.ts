import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Library, libraries, prepareLibrary, type ReadyLibrary } from '../support/client-library.ts';
import { buildGo, findGo } from '../support/go.ts';
import { type FoundProgram, findHelm, findK9s } from '../support/go-clients.ts';
import { whyNoApiServer } from '../support/kube-apiserver/build.ts';
import { openDescriptors } from '../support/open-descriptors.ts';
import { type PodCluster, startPodCluster } from '../support/pod-cluster.ts';
import { run, start } from '../support/processes.ts';
import { Proxied } from '../support/proxied.ts';
import { startOnTerminal } from '../support/pty.ts';
import { until } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

/** Other clients than kubectl through the request proxy, in front of a real kube-apiserver with a pod that runs. */
const why = whyNoApiServer();

describe('through the request proxy', unless(why), () => {
  let cluster: PodCluster;
  let stage: Proxied;
  let helm: FoundProgram;
  let k9s: FoundProgram;
  const ready = new Map<Library, ReadyLibrary>();
  let echo: Server;

  beforeAll(async () => {
    [helm, k9s] = [await findHelm(), await findK9s()];
    for (const library of libraries) {
      ready.set(library, await prepareLibrary(library, 'use-pod'));
    }
    cluster = await startPodCluster();
    appendFileSync(join(cluster.kubelet.folder, 'log'), 'the first line\n');
    const { server, caPem } = cluster.api;
    stage = await Proxied.open({ prod: { server, caPem, token: cluster.token } });
    echo = createServer((socket) => {
      socket.on('data', (data) => socket.write(`${data}!`));
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  }, 3_900_000);
  afterAll(async () => {
    await stage?.dispose();
    await cluster?.dispose();
    echo?.close();
  });

  const environment = () => ({ ...stage.home.env, KUBECONFIG: stage.kubeconfig('prod') });
  test.for([
    ['python', ''],
    ['javascript', ''],
    ['client-go', 'websocket'],
    ['client-go', 'spdy'],
  ] as const)(
    '%s %s lists, watches, executes, follows a log and forwards a port',
    async ([library, transport], { skip }) => {
      const found = ready.get(library);
      if (!found?.ok) {
        skip(found?.why);
        return;
      }
      const { port } = echo.address() as AddressInfo;
      const args = [...found.args('prod'), String(port), transport];
      const done = await run(found.command, args, { env: environment() });
      expect([done.code, done.stderr]).toEqual([0, '']);
      expect(JSON.parse(done.stdout)).toEqual({
        names: ['web'],
        watched: 'web',
        executed: 'got hello',
        exitCode: 3,
        logged: 'the first line',
        forwarded: 'hello!',
      });
      await stage.nothingIsOpen();
    },
  );

  test('client-go: 250 watches of one client, a list beside them, and a kill', async () => {
    const go = findGo();
    const program = await buildGo(go.ok ? go.path : '', 'many-watches');
    const watch = async () => {
      const client = start(program, ['prod', '250'], { env: environment() });
      expect((await client.waitForLine(/^\d+ \d+$/))[0]).toBe('250 1');
      return client;
    };
    const kill = async (client: Awaited<ReturnType<typeof watch>>) => {
      client.kill('SIGKILL');
      await stage.nothingIsOpen();
    };
    await kill(await watch());
    const pid = await stage.pid();
    const descriptors = openDescriptors(pid);
    for (let times = 0; times < 3; times++) {
      const client = await watch();
      expect(await stage.underWay()).toHaveLength(250);
      await kill(client);
    }
    await until(() => (openDescriptors(pid) <= descriptors ? true : null), 'its connections’ end');
  });

  test('helm installs, lists, upgrades and uninstalls', async ({ skip }) => {
    if (!helm.ok) {
      skip(helm.why);
      return;
    }
    const { path } = helm;
    const chart = join(stage.home.outside, 'chart');
    mkdirSync(join(chart, 'templates'), { recursive: true });
    writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: small\nversion: 1.0.0\n');
    writeFileSync(
      join(chart, 'templates', 'configmap.yaml'),
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\ndata: {value: "{{ .Values.value }}"}\n',
    );
    const call = (...args: string[]) => run(path, args, { env: environment() });
    expect(await call('install', 'small', chart, '--set', 'value=1')).toMatchObject({ code: 0 });
    expect(await call('upgrade', 'small', chart, '--set', 'value=2', '--wait')).toMatchObject({ code: 0 });
    const listed = await call('list', '-o', 'json');
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { name: 'small', revision: '2', status: 'deployed', chart: 'small-1.0.0' },
    ]);
    expect((await call('get', 'manifest', 'small')).stdout).toContain('value: "2"');
    expect(await call('uninstall', 'small', '--wait')).toMatchObject({ code: 0 });
    await stage.nothingIsOpen();
  });

  test('k9s shows pods and a log, on a terminal', async ({ skip }) => {
    if (!k9s.ok) {
      skip(k9s.why);
      return;
    }
    const line = 'stty rows 40 cols 160; exec "$0" --command pods --splashless';
    const screen = startOnTerminal('sh', ['-c', line, k9s.path], {
      env: { ...environment(), TERM: 'xterm-256color' },
    });
    try {
      await screen.waitForText(/web.*Running/s, 60_000);
      screen.send('l');
      // It draws only what changes on the screen.
      await screen.waitForText('first', 60_000);
      appendFileSync(join(cluster.kubelet.folder, 'log'), 'added-while-k9s-looks\n');
      await screen.waitForText('added-while-k9s-looks', 60_000);
      screen.send('\x03');
      await screen.ended;
    } finally {
      await screen.dispose();
    }
    await stage.nothingIsOpen();
  }, 240_000);
});
