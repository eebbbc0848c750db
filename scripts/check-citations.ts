/** `npm run check:citations`: each citation of a rule or of a KEP leads somewhere (docs/RULES.md). */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { citationFaults } from './citations.ts';
import { projectFiles } from './project-files.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const texts = /\.(?:ts|tsx|cjs|mjs|rs|go|py|sh|md|yml|toml|json|css|html)$|^scripts\/[^.]+$/;
/** What has the old forms on purpose. */
const itself = ['CHANGELOG.md', 'package-lock.json'];

const files = projectFiles(root)
  .filter((path) => texts.test(path) && !itself.includes(path))
  .map((path) => ({ path, text: readFileSync(`${root}${path}`, 'utf8') }));

const faults = citationFaults(files, (path) => existsSync(`${root}${path}`));
if (faults.length > 0) {
  console.error(faults.join('\n'));
  console.error(`\nWhat is wrong with citations: ${faults.length}. See docs/RULES.md.`);
  process.exitCode = 1;
}
