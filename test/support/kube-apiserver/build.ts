import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildGo, findGo, whyNoGo } from '../go.ts';

/** A module of its own: the API server's dependencies are many. Its go.mod says which Kubernetes. */
const module = import.meta.dirname;

/** All of Kubernetes' API server is compiled the first time. */
const limitMilliseconds = 3_600_000;

/** Why the suites with a real kube-apiserver don't run here; null: they do. */
export function whyNoApiServer(): string | null {
  return whyNoGo();
}

/** The real kube-apiserver with etcd in it, built once for each version (12 min on 2 busy cores, 300 MB of modules). */
export function buildApiServer(): Promise<string> {
  return build('server', 'kube-apiserver');
}

/** A client-go informer that lives on. */
export function buildInformer(): Promise<string> {
  return build('watch-config-maps', 'watch-config-maps');
}

async function build(source: string, name: string): Promise<string> {
  const go = findGo();
  if (!go.ok) {
    throw new Error(go.why);
  }
  const sources = ['go.mod', 'go.sum', join(source, 'main.go')].map((file) =>
    readFileSync(join(module, file)),
  );
  const digest = createHash('sha256').update(Buffer.concat(sources)).digest('hex').slice(0, 12);
  const output = join(module, '..', '..', '..', '.cache', 'kube-apiserver', `${name}-${digest}`);
  return existsSync(output) ? output : buildGo(go.path, source, { module, output, limitMilliseconds });
}
