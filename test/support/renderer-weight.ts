import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const folder = join(import.meta.dirname, '..', '..', 'dist', 'renderer');

interface Part {
  file: string;
  css?: string[];
  imports?: string[];
}

/** What the built page weighs, gzipped, in bytes: `npm run build:renderer` makes it. */
export interface RendererWeight {
  /** All of it. */
  whole: number;
  /** What loads at once: the frame, and the list of clusters in it. */
  firstView: number;
}

export function rendererWeight(): RendererWeight {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(js|css|html|svg)$/.test(file),
  );
  return {
    whole: weight(files),
    firstView: weight(new Set([...filesOfDocument(), ...filesOf([firstCalls])])),
  };
}

/** index.html, and all that it names: what it needs at once stands in it. */
function filesOfDocument(): string[] {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css|svg))"/g)].map(([, file]) =>
    String(file),
  );
  return ['index.html', ...named];
}

/** What the list of clusters asks first: lanes. */
const firstCalls = '../main/contract/ui/calls/history.ts';

/** The files of parts and of all that they need at once. */
function filesOf(names: readonly string[]): Set<string> {
  const all: Record<string, Part> = JSON.parse(readFileSync(join(folder, 'parts.json'), 'utf8'));
  const [files, seen] = [new Set<string>(), new Set<string>()];
  const visit = (name: string) => {
    const part = all[name];
    if (part === undefined) {
      throw new Error(`the page has no part ${name}: npm run build:renderer`);
    }
    if (!seen.has(name)) {
      seen.add(name);
      files.add(part.file);
      part.css?.forEach((file) => void files.add(file));
      part.imports?.forEach(visit);
    }
  };
  names.forEach(visit);
  return files;
}

function weight(files: Iterable<string>): number {
  return [...files].reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length,
    0,
  );
}
