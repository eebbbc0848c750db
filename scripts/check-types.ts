import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { text } from 'node:stream/consumers';
import { projectFiles } from './project-files.ts';

/**
 * `npm run check:types`: type-checks every TypeScript file of the project. Also fails where a file that git knows, or
 * would add, is read by none of the projects: tsc says nothing of a file that no `include` reaches.
 */
const root = join(import.meta.dirname, '..');
/** The folders of their tsconfig.json: what runs under Node, the page, what Chromium runs for tests. */
const projects = ['.', 'renderer', 'test'];
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const cache = join(root, '.cache', 'types');

/** One project’s diagnostics, empty where all is well, and the files it read, relative to the root. */
async function checkProject(project: string): Promise<{ diagnostics: string[]; files: string[] }> {
  const buildInfo = join(cache, `${project === '.' ? 'root' : project}.json`);
  const options = [
    '--noEmit',
    '--incremental',
    '--tsBuildInfoFile',
    buildInfo,
    '--listFiles',
    '--pretty',
    'false',
  ];
  const child = spawn(process.execPath, [tsc, '--project', project, ...options], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const lines = (await text(child.stdout)).split(/\r?\n/).filter((line) => line !== '');
  const diagnostics = lines.filter((line) => !isAbsolute(line));
  if ((await ended) !== 0 && diagnostics.length === 0) {
    diagnostics.push(`tsc --project ${project} failed`);
  }
  const files = lines.filter((line) => isAbsolute(line));
  return { diagnostics, files: files.map((file) => relative(root, file).split(sep).join('/')) };
}

mkdirSync(cache, { recursive: true });
const results = await Promise.all(projects.map(checkProject));
const read = new Set(results.flatMap(({ files }) => files));
const unread = projectFiles(root).filter((file) => /\.[mc]?tsx?$/.test(file) && !read.has(file));
// A file that two projects read is told of once.
for (const line of new Set(results.flatMap(({ diagnostics }) => diagnostics))) {
  console.error(line);
}
for (const file of unread) {
  console.error(`${file}: no tsconfig.json of ${projects.join(', ')} includes it`);
}
process.exitCode =
  unread.length === 0 && results.every(({ diagnostics }) => diagnostics.length === 0) ? 0 : 1;
