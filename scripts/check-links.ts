/**
 * `npm run check:links`: names each dead link in the repository's Markdown, and each file, script
 * and npm script that it names and that isn't there. Fails where there is one.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deadLinks, missingCommands, missingFiles } from './dead-links.ts';
import { projectFiles } from './project-files.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const files = projectFiles(root);
const documents = files
  .filter((file) => file.endsWith('.md'))
  .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);
// The changelog and the decisions name files of their time.
const current = documents.filter(([file]) => !/^(CHANGELOG\.md$|docs\/adr\/)/.test(file));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const faults = [
  ...deadLinks(new Map(documents), new Set(files)),
  ...missingFiles(new Map(current), new Set(files)),
  ...missingCommands(new Map(current), new Set(Object.keys(scripts)), new Set(files)),
];
for (const line of faults) {
  console.error(line);
}
if (documents.length === 0) {
  console.error('No Markdown was found.');
}
process.exitCode = faults.length === 0 && documents.length > 0 ? 0 : 1;
