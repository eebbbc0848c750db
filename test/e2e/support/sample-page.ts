import { createHash } from 'node:crypto';
import { existsSync, globSync, renameSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, resolve } from 'node:path';
import { cacheFolder } from '../../support/cache-folder.ts';
import { oneAtATime } from '../../support/one-at-a-time.ts';

const repository = resolve(import.meta.dirname, '..', '..', '..');
const cache = cacheFolder('sample-page');
/** What it is built from. */
const sources = ['renderer/**/*', 'main/contract/**/*', 'package-lock.json'];

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** The page by itself, without a broker: `address(state)` shows it on the demo's invented data in that state. */
export interface SamplePage {
  address(state: string): string;
  dispose(): Promise<void>;
}

/** As the development server has it (renderer/page.tsx: `?sample=`), and served from the loopback. */
export async function serveSamplePage(): Promise<SamplePage> {
  const outDir = await builtPage();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = join(outDir, normalize(pathname === '/' ? '/index.html' : pathname));
    readFile(file).then(
      (content) => {
        response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
        response.end(content);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    address: (state) => `http://127.0.0.1:${port}/?sample=${state}`,
    async dispose() {
      await new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      });
    },
  };
}

/** Its folder. Built by the first file that wants it, and again where a source has changed. */
function builtPage(): Promise<string> {
  const folder = join(cache, sourcesKey());
  return oneAtATime(`${cache}.lock`, async () => {
    if (!existsSync(folder)) {
      rmSync(cache, { recursive: true, force: true });
      const { build } = await import('vite');
      const outDir = join(cache, 'unfinished');
      await build({
        configFile: join(repository, 'renderer', 'vite.config.ts'),
        // Its user may not be able to write beside it.
        configLoader: 'runner',
        logLevel: 'error',
        define: { 'import.meta.env.DEV': 'true' },
        build: { outDir },
      });
      renameSync(outDir, folder);
    }
    return folder;
  });
}

function sourcesKey(): string {
  const hash = createHash('sha256');
  for (const file of globSync(sources, { cwd: repository }).sort()) {
    const { mtimeMs, size } = statSync(join(repository, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
