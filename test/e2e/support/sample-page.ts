import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize, resolve } from 'node:path';
import { build } from 'vite';

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

/** Built as the development server has it (renderer/page.tsx: `?sample=`), and served from the loopback. */
export async function serveSamplePage(): Promise<SamplePage> {
  const outDir = mkdtempSync(join(tmpdir(), 'lanyard-sample-'));
  await build({
    configFile: resolve(import.meta.dirname, '..', '..', '..', 'renderer', 'vite.config.ts'),
    logLevel: 'error',
    define: { 'import.meta.env.DEV': 'true' },
    build: { outDir },
  });
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
      rmSync(outDir, { recursive: true, force: true });
    },
  };
}
