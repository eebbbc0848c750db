import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const folder = join(import.meta.dirname, '..', '..', 'dist', 'renderer');

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
    firstView: weight(filesOfDocument()),
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

function weight(files: Iterable<string>): number {
  return [...files].reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length,
    0,
  );
}
