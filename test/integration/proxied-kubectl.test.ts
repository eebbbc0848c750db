import { createHash } from 'node:crypto';
import {
  appendFileSync,
  createReadStream,
  createWriteStream,
  readdirSync,
  readFileSync,
  readlinkSync,
} from 'node:fs';
import { get } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNoApiServer } from '../support/kube-apiserver/build.ts';
import { buildKubectl, builtKubectl } from '../support/kubectl/build.ts';
import { execVersion, findKubectls, type Kubectl } from '../support/kubectl.ts';
import { type PodCluster, startPodCluster } from '../support/pod-cluster.ts';
import { type Running, type RunOptions, run, start } from '../support/processes.ts';
import { Proxied } from '../support/proxied.ts';
import { type OnTerminal, startOnTerminal } from '../support/pty.ts';
import { until } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

/** Each kubectl through the request proxy, in front of a real kube-apiserver with a pod that runs (KEP-2718/streaming). */
const why = whyNoApiServer();
const gibibyte = 1024 ** 3;

const minorOf = ({ version }: Kubectl) => Number(version.split('.')[1]);
const versions = [
  ...findKubectls().all.filter(({ version }) => version !== builtKubectl.version),
  builtKubectl,
];

/** Streams go over WebSocket where the kubectl knows it, and over SPDY in all. */
const transports = versions.flatMap((kubectl) => {
  const all = [{ kubectl, version: kubectl.version, transport: 'SPDY', isWebSocket: false }];
  if (minorOf(kubectl) >= 30) {
    all.push({ kubectl, version: kubectl.version, transport: 'WebSocket', isWebSocket: true });
  }
  return all;
});

describe('kubectl through the request proxy', unless(why), () => {
  let cluster: PodCluster;
  let stage: Proxied;
  const running: (Running | OnTerminal)[] = [];

  beforeAll(async () => {
    await buildKubectl();
    cluster = await startPodCluster();
    const { server, caPem } = cluster.api;
    stage = await Proxied.open({ prod: { server, caPem, token: cluster.token } });
  }, 3_900_000);
  afterAll(async () => {
    await Promise.all(running.map((each) => each.dispose()));
    await stage?.dispose();
    await cluster?.dispose();
  });

  const environment = (kubectl: Kubectl, isWebSocket = true) => ({
    ...stage.home.env,
    KUBECONFIG: stage.kubeconfig('prod', execVersion(kubectl)),
    KUBECTL_REMOTE_COMMAND_WEBSOCKETS: String(isWebSocket),
    KUBECTL_PORT_FORWARD_WEBSOCKETS: String(isWebSocket),
  });
  const call = (
    kubectl: Kubectl,
    args: readonly string[],
    { isWebSocket, ...options }: RunOptions & { isWebSocket?: boolean } = {},
  ) => run(kubectl.path, args, { ...options, env: environment(kubectl, isWebSocket) });
  const begin = (kubectl: Kubectl, args: readonly string[], isWebSocket?: boolean) => {
    const one = start(kubectl.path, args, { env: environment(kubectl, isWebSocket) });
    running.push(one);
    return one;
  };
  const onTerminal = (kubectl: Kubectl, args: readonly string[], isWebSocket?: boolean) => {
    const env = { ...environment(kubectl, isWebSocket), TERM: 'xterm' };
    const one = startOnTerminal(kubectl.path, args, { env });
    running.push(one);
    return one;
  };

  describe.each(versions)('$version', (kubectl) => {
    test('reads, writes and says what went wrong as without the proxy', async () => {
      expect(await call(kubectl, ['get', 'pods', '-o', 'name'])).toMatchObject({
        code: 0,
        stdout: 'pod/web\n',
      });
      const name = `of-${kubectl.version.replace('.', '-')}`;
      const manifest = (value: string) =>
        JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } });
      const apply = (value: string) => call(kubectl, ['apply', '-f', '-'], { input: manifest(value) });
      expect(await apply('1')).toMatchObject({ code: 0, stdout: `configmap/${name} created\n` });
      expect(await apply('2')).toMatchObject({ code: 0, stdout: `configmap/${name} configured\n` });
      expect(await call(kubectl, ['get', 'configmap', name, '-o', 'jsonpath={.data.value}'])).toMatchObject({
        stdout: '2',
      });
      const none = await call(kubectl, ['get', 'configmap', 'none']);
      expect([none.code, none.stderr]).toEqual([
        1,
        'Error from server (NotFound): configmaps "none" not found\n',
      ]);
    });

    test('get --raw, with the path and without', async () => {
      expect(await call(kubectl, ['get', '--raw', '/version'])).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('gitVersion'),
      });
    });

    test('watches', async () => {
      const name = `watched-${kubectl.version.replace('.', '-')}`;
      const watching = begin(kubectl, ['get', 'configmaps', '--watch', '-o', 'name']);
      await watching.waitForLine(/configmap\//);
      expect((await call(kubectl, ['create', 'configmap', name])).code).toBe(0);
      await watching.waitForLine(new RegExp(name));
      watching.kill('SIGINT');
      await watching.ended;
      await stage.nothingIsOpen();
    });

    test('follows a log', async () => {
      const following = begin(kubectl, ['logs', '-f', 'web']);
      for (const line of ['first', 'second', 'third']) {
        appendFileSync(join(cluster.kubelet.folder, 'log'), `${line} ${kubectl.version}\n`);
        await following.waitForLine(new RegExp(`^${line} ${kubectl.version}$`));
      }
      following.kill('SIGINT');
      await following.ended;
      await stage.nothingIsOpen();
    });
  });

  describe.each(transports)('$version over $transport', ({ kubectl, isWebSocket }) => {
    const protocol = isWebSocket ? 'GET' : 'POST';

    test('executes with input and both outputs, and has the exit code', async () => {
      const command = 'read line; echo "got $line"; echo oops >&2; exit 7';
      const done = await call(kubectl, ['exec', '-i', 'web', '--', 'sh', '-c', command], {
        input: 'hello\n',
        isWebSocket,
      });
      expect([done.code, done.stdout]).toEqual([7, 'got hello\n']);
      // client-go may log first that it was not ready yet for the server’s empty first message.
      expect(done.stderr).toMatch(/^oops$/m);
      await stage.nothingIsOpen();
    });

    test('executes on a terminal: resize, Ctrl-C, exit code', async () => {
      const shell = onTerminal(kubectl, ['exec', '-it', 'web', '--', 'sh'], isWebSocket);
      shell.send('echo in the $((40 + 2)) pod\r');
      await shell.waitForText('in the 42 pod');
      const [open] = await stage.underWay();
      expect(open).toMatchObject({
        cluster: 'prod',
        method: protocol,
        path: expect.stringContaining('/exec'),
      });
      await resize(shell.pid, 41, 123);
      shell.send('until [ "$(stty size)" = "41 123" ]; do sleep 0.1; done; echo re"sized"\r');
      await shell.waitForText('resized');
      shell.send('sleep 1000; echo not"hing" after\r');
      await until(() => (commandLines().includes('sleep\0' + '1000\0') ? true : null), 'sleep');
      shell.send('\x03');
      shell.send('echo still"here"\r');
      await shell.waitForText('stillhere');
      expect(shell.shown()).not.toContain('nothing after');
      shell.send('exit 5\r');
      expect((await shell.ended).code).toBe(5);
      await stage.nothingIsOpen();
    });

    test('attaches', async () => {
      const attached = begin(kubectl, ['attach', '-i', 'web'], isWebSocket);
      const word = `attached${kubectl.version}${isWebSocket}`;
      attached.write(`${word}\n`);
      await attached.waitForLine(new RegExp(`^${word}$`));
      attached.closeInput();
      expect((await attached.ended).code).toBe(0);
      await stage.nothingIsOpen();
    });

    test('forwards a port: both directions, and what comes after a half-close', async () => {
      const server = createServer({ allowHalfOpen: true }, (socket) => {
        const parts: Buffer[] = [];
        socket.on('data', (part) => parts.push(part));
        socket.on('end', () => socket.end(`${Buffer.concat(parts).length} bytes; bye`));
        socket.on('error', () => undefined);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const forwarding = begin(kubectl, ['port-forward', 'web', `:${port}`], isWebSocket);
      const [, local] = await forwarding.waitForLine(/Forwarding from 127\.0\.0\.1:(\d+)/);
      const through = () =>
        new Promise<string>((resolve, reject) => {
          let text = '';
          const socket = connect({ host: '127.0.0.1', port: Number(local), allowHalfOpen: true });
          socket.on('data', (data) => {
            text += String(data);
          });
          socket.on('end', () => resolve(text));
          socket.on('error', reject);
          socket.end(Buffer.alloc(3_000_000, 'x'));
        });
      expect(await Promise.all([through(), through(), through()])).toEqual(
        Array(3).fill('3000000 bytes; bye'),
      );
      forwarding.kill('SIGINT');
      await forwarding.ended;
      await new Promise((resolve) => server.close(resolve));
      await stage.nothingIsOpen();
    });

    test('copies a file there and back', async () => {
      const { outside } = stage.home;
      const size = 8 * 1024 ** 2;
      const [from, back] = [join(outside, 'from'), join(outside, 'back')];
      const digest = await writeRandom(from, size);
      const there = `copied-${kubectl.version}-${isWebSocket}`;
      expect(await call(kubectl, ['cp', from, `web:${there}`], { isWebSocket })).toMatchObject({ code: 0 });
      expect(await digestOf(join(cluster.kubelet.folder, there))).toBe(digest);
      expect(await call(kubectl, ['cp', `web:${there}`, back], { isWebSocket })).toMatchObject({ code: 0 });
      expect(await digestOf(back)).toBe(digest);
      await stage.nothingIsOpen();
    });
  });

  test.each(transports.filter(({ kubectl }) => kubectl === builtKubectl))(
    '$version over $transport copies 1 GiB, there and back',
    async ({ kubectl, isWebSocket }) => {
      const { outside } = stage.home;
      const [from, back] = [join(outside, 'large'), join(outside, 'large-back')];
      const digest = await writeRandom(from, gibibyte);
      const options = { isWebSocket, timeoutMilliseconds: 300_000 };
      expect(await call(kubectl, ['cp', from, 'web:large'], options)).toMatchObject({ code: 0 });
      expect(await digestOf(join(cluster.kubelet.folder, 'large'))).toBe(digest);
      expect(await call(kubectl, ['cp', 'web:large', back], options)).toMatchObject({ code: 0 });
      expect(await digestOf(back)).toBe(digest);
      await stage.nothingIsOpen();
    },
    900_000,
  );

  test.each(versions)('$version: kubectl proxy', async (kubectl) => {
    const proxying = begin(kubectl, ['proxy', '--port=0']);
    const [, port] = await proxying.waitForLine(/Starting to serve on 127\.0\.0\.1:(\d+)/);
    const body = await new Promise<string>((resolve, reject) => {
      get(`http://127.0.0.1:${port}/api/v1/namespaces/default/pods/web`, async (answer) => {
        resolve((await answer.toArray()).join(''));
      }).once('error', reject);
    });
    if (minorOf(kubectl) < 27) {
      // It passes its own client’s Host on.
      expect(body).toMatch(/^lanyard: this proxy is reached as 127\.0\.0\.1:\d+ alone\n$/);
    } else {
      expect(JSON.parse(body)).toMatchObject({ kind: 'Pod', metadata: { name: 'web' } });
    }
    proxying.kill('SIGINT');
    await proxying.ended;
  });

  test('a client that is killed in mid-stream leaves nothing open, here or in the pod', async () => {
    const marks = transports.map(({ kubectl, isWebSocket }, index) => {
      const mark = `${91_000 + index}`;
      begin(kubectl, ['exec', '-i', 'web', '--', 'sh', '-c', `cat; exit ${mark}`], isWebSocket);
      return mark;
    });
    const alive = () =>
      marks.filter((mark) =>
        commandLines().some((line) => line.includes(`cat; exit ${mark}`) && line.startsWith('sh')),
      );
    await until(() => (alive().length === marks.length ? true : null), 'the commands');
    for (const one of running.slice(-marks.length)) {
      process.kill(one.pid, 'SIGKILL');
    }
    await stage.nothingIsOpen();
    await until(() => (alive().length === 0 ? true : null), 'the end of the commands');
  });

  test('a proxy that is killed in mid-stream: kubectl ends, and the next one gets through', async () => {
    for (const { kubectl, isWebSocket } of transports.filter((each) => each.kubectl === builtKubectl)) {
      const executing = begin(
        kubectl,
        ['exec', '-i', 'web', '--', 'sh', '-c', 'echo begun; cat'],
        isWebSocket,
      );
      await executing.waitForLine(/^begun$/);
      const watching = begin(kubectl, ['get', 'pods', '--watch', '-o', 'name']);
      await watching.waitForLine(/^pod\/web$/);
      const pid = await stage.pid();
      process.kill(pid, 'SIGKILL');
      await executing.ended;
      await until(async () => {
        const { code } = await call(kubectl, ['get', 'pods']);
        return code === 0 && (await stage.pid()) !== pid ? true : null;
      }, 'another proxy');
      // It has ended, or has asked again.
      watching.kill('SIGINT');
      await watching.ended;
      await stage.nothingIsOpen();
    }
  });
});

/** Of a file with random bytes: its SHA-256. */
async function writeRandom(path: string, bytes: number): Promise<string> {
  await pipeline(
    createReadStream('/dev/urandom', { end: bytes - 1, highWaterMark: 1024 ** 2 }),
    createWriteStream(path),
  );
  return digestOf(path);
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 ** 2 }), hash);
  return hash.digest('hex');
}

/** Each process’s words, each with a NUL at its end. */
function commandLines(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        // Ended meanwhile.
        return '';
      }
    });
}

/** Gives the terminal that the program under `script` has another size, as a window’s change does. */
async function resize(scriptPid: number, rows: number, columns: number): Promise<void> {
  const [child = ''] = readFileSync(`/proc/${scriptPid}/task/${scriptPid}/children`, 'utf8').split(' ');
  const terminal = readlinkSync(`/proc/${child}/fd/0`);
  const done = await run('stty', ['-F', terminal, 'rows', String(rows), 'cols', String(columns)]);
  expect(done.code).toBe(0);
}
