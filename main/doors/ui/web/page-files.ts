import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { BrokerError } from '../../../contract/broker-error.ts';

export interface PageFile {
  type: string;
  body: Buffer;
}

/** By the request’s path. Only these are served: no file path is ever built from a request. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

/** Reads the built page. Throws BrokerError `ui.files` where it is missing. */
export async function readPageFiles(folder: string): Promise<PageFiles> {
  const files = new Map<string, PageFile>();
  try {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const type = types[extname(entry.name)];
      if (entry.isFile() && type !== undefined) {
        const path = join(entry.parentPath, entry.name);
        const name = `/${relative(folder, path).split(sep).join('/')}`;
        files.set(name === '/index.html' ? '/' : name, { type, body: await readFile(path) });
      }
    }
  } catch (error) {
    throw noFiles(folder, error);
  }
  if (!files.has('/')) {
    throw noFiles(folder);
  }
  return files;
}

function noFiles(folder: string, cause?: unknown): BrokerError {
  return new BrokerError('ui.files', `the page’s files are not in ${folder}`, {
    hint: 'install Lanyard anew; from its source: npm run build:renderer',
    cause,
  });
}
