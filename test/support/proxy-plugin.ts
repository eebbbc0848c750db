import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCa, issueServerCertificate } from './certificates.ts';
import { jsonLines } from './json-lines.ts';
import { compileCache } from './processes.ts';
import { quoteForShell } from './pty.ts';

/** What its process reads. */
export interface ProxyPluginSettings {
  /**
   * `starts`: it starts a proxy and ends. `is`: it is the proxy itself. `plain`: it knows nothing of proxies.
   * `says`: it only says that there is one.
   */
  kind: 'starts' | 'is' | 'plain' | 'says';
  listen: 'unix' | 'port';
  /** In place of its proxy’s own URL. */
  url?: string;
  /** Of its answer to a client with a lock file; empty: no answer has any. */
  token: string;
  /** Where its proxy passes requests on to, and as whom. */
  server: string;
  serverCaPem: string;
  upstreamToken: string;
  caPem: string;
  certificatePem: string;
  keyPem: string;
}

/** A wrapped exec plugin that knows KEP-2718, and notes what it is told. */
export interface ProxyPlugin {
  readonly command: string;
  /** The account that runs it, passing its proxy on. */
  account(fields?: object): { execPlugin: object };
  /** From now on. */
  does(fields: Partial<ProxyPluginSettings>): void;
  /** Each run: its pid, and KUBERNETES_EXEC_INFO. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever is there
  runs(): { pid: number; info: any }[];
  /** What its proxies got. */
  requests(): { proxy: number; path: string; authorization?: string; host: string }[];
  /** Pids of all its proxies, in the order in which they began to listen. */
  started(): number[];
  /** Those that live. */
  proxies(): number[];
  /** Kills them. */
  dispose(): void;
}

const script = join(import.meta.dirname, 'proxy-plugin-process.ts');

/** Writes it into a new folder below `parent`, whose path is short, so that a socket fits in. */
export async function makeProxyPlugin(
  parent: string,
  upstream: { server: string; caPem: string; token: string },
): Promise<ProxyPlugin> {
  const folder = mkdtempSync(join(parent, 'p-'));
  const ca = await createCa('a plugin’s proxy');
  const { certificatePem, keyPem } = await issueServerCertificate(ca, ['127.0.0.1']);
  const first: ProxyPluginSettings = {
    kind: 'starts',
    listen: 'unix',
    token: `way-in-${randomBytes(8).toString('hex')}`,
    server: upstream.server,
    serverCaPem: upstream.caPem,
    upstreamToken: upstream.token,
    caPem: ca.certificatePem,
    certificatePem,
    keyPem,
  };
  const does = (fields: Partial<ProxyPluginSettings>) =>
    writeFileSync(join(folder, 'settings.json'), JSON.stringify({ ...first, ...fields }));
  does({});
  const command = join(folder, 'plugin');
  const words = [process.execPath, script, folder].map(quoteForShell).join(' ');
  const cache = `export NODE_COMPILE_CACHE=${quoteForShell(compileCache)}`;
  writeFileSync(command, `#!/bin/sh\n${cache}\nexec ${words}\n`, { mode: 0o700 });
  const lines = (file: string) =>
    existsSync(join(folder, file)) ? jsonLines(readFileSync(join(folder, file), 'utf8')) : [];
  const started = () => lines('proxies').map(({ pid }) => pid as number);
  const proxies = () => started().filter(isAlive);
  return {
    command,
    account: (fields = {}) => ({
      execPlugin: {
        apiVersion: 'client.authentication.k8s.io/v1',
        command,
        interactiveMode: 'Never',
        passProxyConfig: true,
        ...fields,
      },
    }),
    does,
    runs: () => lines('runs'),
    requests: () => lines('requests'),
    started,
    proxies,
    dispose: () => {
      for (const pid of proxies()) {
        process.kill(pid, 'SIGKILL');
      }
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
