import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ProxyPluginSettings } from './proxy-plugin.ts';

/**
 * A plugin that knows KEP-2718 (proxy-plugin.ts): `proxy-plugin-process.ts FOLDER` is the plugin, `… FOLDER LOCK` the
 * proxy that it starts. The proxy has a socket or a port, TLS, and its own token for the API server; it ends when it gets
 * the lock.
 */
const [folder = '', lockOfProxy] = process.argv.slice(2);
const settings: ProxyPluginSettings = JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8'));

if (lockOfProxy !== undefined) {
  process.stdout.write(`${await serve(lockOfProxy)}\n`);
} else {
  await answer();
}

async function answer(): Promise<void> {
  const info = JSON.parse(process.env['KUBERNETES_EXEC_INFO'] ?? '');
  const lock: string | undefined = info.spec.lockFilePath;
  note('runs', { pid: process.pid, info });
  const { kind, url, token } = settings;
  let here: string | null = null;
  if (lock !== undefined && kind === 'starts') {
    here = await startProxy(lock);
  } else if (lock !== undefined && kind === 'is') {
    here = await serve(lock);
  }
  const proxyConfig = {
    url: url ?? here ?? 'unix:///nowhere',
    'certificate-authority-data': Buffer.from(settings.caPem).toString('base64'),
  };
  const status = {
    // A client that has no proxy sends it to the API server.
    token: lock === undefined && token !== '' ? settings.upstreamToken : token,
    ...(kind !== 'plain' && { proxyConfig }),
    expirationTimestamp: new Date(Date.now() + 3_600_000).toISOString(),
  };
  process.stdout.write(
    `${JSON.stringify({ apiVersion: info.apiVersion, kind: 'ExecCredential', status })}\n`,
  );
}

/** In a session of its own, with none of this process’s streams once it listens; gives its URL. */
function startProxy(lock: string): Promise<string> {
  const proxy: ChildProcess = spawn(process.execPath, [import.meta.filename, folder, lock], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  proxy.unref();
  return new Promise((resolve, reject) => {
    proxy.once('error', reject);
    proxy.once('exit', () => reject(new Error('the proxy has ended')));
    proxy.stdout?.once('data', (line) => {
      proxy.stdout?.destroy();
      proxy.removeAllListeners('exit');
      resolve(String(line).trim());
    });
  });
}

/** Until the lock is free; gives the URL. */
async function serve(lock: string): Promise<string> {
  const socket = join(folder, `${process.pid}.sock`);
  const server = https.createServer(
    { cert: settings.certificatePem, key: settings.keyPem },
    (asked, answered) => {
      const { authorization, host } = asked.headers;
      note('requests', { proxy: process.pid, path: asked.url, authorization, host });
      const { host: _, authorization: __, ...headers } = asked.headers;
      const passed = https.request(
        `${settings.server}${asked.url}`,
        {
          method: asked.method ?? 'GET',
          ca: settings.serverCaPem,
          headers: { ...headers, authorization: `Bearer ${settings.upstreamToken}` },
        },
        (response) => {
          answered.writeHead(response.statusCode ?? 502, response.headers);
          response.pipe(answered);
        },
      );
      passed.on('error', () => answered.destroy());
      asked.pipe(passed);
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.listen === 'unix' ? { path: socket } : { host: '127.0.0.1', port: 0 }, resolve);
  });
  const end = () => {
    rmSync(socket, { force: true });
    process.exit(0);
  };
  process.once('SIGTERM', end);
  // Waits as long as the client lives.
  const waiting = spawn('flock', [lock, 'true'], { stdio: 'ignore' });
  process.once('exit', () => waiting.kill('SIGKILL'));
  waiting.once('exit', end);
  note('proxies', { pid: process.pid });
  return settings.listen === 'unix'
    ? `unix://${socket}`
    : `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A line in one write, so that those of several processes don’t mix. */
function note(file: 'runs' | 'requests' | 'proxies', what: object): void {
  appendFileSync(join(folder, file), `${JSON.stringify(what)}\n`);
}
