import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SigningKeys } from '../../support/aws/signed-request.ts';
import { buildGo } from '../../support/go.ts';

/** Go’s reverse proxy with the signer of AWS’s SDK (test/support/aws/signing-proxy). */
export interface SigningProxy extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
}

/** `certificate` and `key`: its own, PEM. `server`: an address, with the PEM of its CA in `ca`. */
export interface SigningProxyOptions extends Required<SigningKeys> {
  certificate: string;
  key: string;
  server: string;
  ca: string;
  /** On both sides; else HTTP/1.1. */
  http2: boolean;
  region: string;
  service: string;
}

/** Builds it with this Go, and starts it. */
export async function startSigningProxy(go: string, options: SigningProxyOptions): Promise<SigningProxy> {
  const module = join(import.meta.dirname, '..', '..', 'support', 'aws', 'signing-proxy');
  const program = await buildGo(go, 'signing-proxy', { module, program: '.' });
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'], env: {} });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const port = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`signing-proxy ended with ${code}`)));
    createInterface({ input: child.stdout }).once('line', resolve);
    child.stdin.write(`${JSON.stringify(options)}\n`);
  });
  return {
    port: Number(port),
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}
