import { join } from 'node:path';
import { buildGo, findGo } from './go.ts';

/** docs/examples/exec-proxy-client: the client’s side of KEP-2718. */
const module = join(import.meta.dirname, '..', '..', 'docs', 'examples', 'exec-proxy-client');

/** Null where it can be built; else one line for whoever reads that a test was skipped. */
export function whyNoExecProxyClient(): string | null {
  const go = findGo();
  return go.ok ? (process.env['LANYARD_REAL'] === '1' ? null : 'only with --long') : go.why;
}

/** `test`: its own tests, as a program. The first time takes a minute. */
export function buildExecProxyClient(options: { test?: boolean } = {}): Promise<string> {
  const go = findGo();
  const name = options.test ? 'exec-proxy-client.test' : 'exec-proxy-client';
  return buildGo(go.ok ? go.path : '', name, { module, program: '.', ...options });
}
