import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
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

const repository = join(import.meta.dirname, '..', '..', '..');

/** Built as the development server has it (renderer/page.tsx: `?sample=`), and served from the loopback. */
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

/** Its folder: built once for all files and runs, until a source is newer. */
async function builtPage(): Promise<string> {
  const all = join(repository, '.cache', 'sample-page');
  const built = join(all, String(newestSource()));
  if (existsSync(built)) {
    return built;
  }
  mkdirSync(all, { recursive: true });
  const outDir = mkdtempSync(join(all, 'under-way-'));
  await build({
    configFile: join(repository, 'renderer', 'vite.config.ts'),
    logLevel: 'error',
    define: { 'import.meta.env.DEV': 'true' },
    build: { outDir },
  });
  try {
    renameSync(outDir, built);
  } catch (error) {
    // Another process was sooner.
    rmSync(outDir, { recursive: true });
    if (!existsSync(built)) {
      throw error;
    }
  }
  for (const other of readdirSync(all).filter((name) => /^\d+$/.test(name) && join(all, name) !== built)) {
    rmSync(join(all, other), { recursive: true, force: true });
  }
  return built;
}

/** When the newest of what it may be made of was changed, in whole milliseconds. */
function newestSource(): number {
  const files = ['main', 'renderer'].flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const times = [join(repository, 'package-lock.json'), ...files].map((file) => statSync(file).mtimeMs);
  return Math.floor(Math.max(...times));
}
