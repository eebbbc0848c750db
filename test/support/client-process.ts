import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClientEvent, ClientOptions } from './long-lived.ts';
import { fingerprint } from './openid/counts.ts';

/** A client that lives long, run as a process of its own by long-lived.ts. Ends with its stdin. */
const options: ClientOptions = JSON.parse(process.argv[2] ?? '{}');
const ca = readFileSync(options.caFile, 'utf8');
let ended = false;
process.stdin.on('end', () => {
  ended = true;
});
process.stdin.resume();

interface Held {
  token: string;
  told: number | null;
}

function tell(event: ClientEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

function endOf(token: string): number {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return claims.exp * 1000;
}

/** Runs the helper as client-go does. */
function ask(cluster: string): Promise<Held | null> {
  const from = Date.now();
  const env = { ...process.env, KUBERNETES_EXEC_INFO: options.execInfo };
  const args = ['kube-credential', '--account', 'corp', '--cluster', cluster];
  return new Promise((resolve) => {
    execFile(options.helper, args, { env, timeout: 60_000 }, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
      const told = { kind: 'asked', cluster, from, to: Date.now(), code } as const;
      if (code !== 0) {
        tell({ ...told, stderr, token: null, ends: null });
        resolve(null);
        return;
      }
      const { token, expirationTimestamp } = JSON.parse(stdout).status;
      tell({ ...told, stderr, token: fingerprint(token), ends: endOf(token) });
      resolve({ token, told: expirationTimestamp ? Date.parse(expirationTimestamp) : null });
    });
  });
}

function listPods(cluster: string, token: string): Promise<number> {
  const from = Date.now();
  return new Promise((resolve) => {
    const end = (status: number) => {
      tell({ kind: 'request', cluster, from, to: Date.now(), status, ends: endOf(token) });
      resolve(status);
    };
    request(`${options.server}/api/v1/namespaces/default/pods`, {
      ca,
      agent: false,
      headers: { authorization: `Bearer ${token}` },
    })
      .on('response', (response) => {
        response.resume();
        response.on('end', () => end(response.statusCode ?? 0));
      })
      .on('error', () => end(0))
      .end();
  });
}

async function use(cluster: string): Promise<void> {
  let held: Held | null = null;
  while (!ended) {
    const isOver: boolean = held?.told !== null && (held?.told ?? 0) <= Date.now();
    if (options.perLoad || !held || isOver) {
      held = await ask(cluster);
    }
    // client-go forgets what the server no longer takes, and asks again with the next request.
    if (held && (await listPods(cluster, held.token)) === 401) {
      held = null;
    }
    await delay(options.pauseMilliseconds * (0.5 + Math.random()));
  }
}

await Promise.all(options.clusters.map(use));
