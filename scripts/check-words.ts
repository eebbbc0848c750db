/** `npm run check:words`: no text that users read, and no name, has a word that docs/GLOSSARY.md replaced. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { unknownNames } from './glossary-names.ts';
import { projectFiles } from './project-files.ts';
import { wordFaults } from './retired-words.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const texts =
  /^(app|main|renderer)\/.*\.tsx?$|^scripts\/man-page\.ts$|^main\/contract\/commands\.json$|^native-helper\/.*\.rs$|^docs\/.*\.md$|^README\.md$/;
/**
 * Tests speak of cases; SQL keeps the words that it was written with; decisions have the words of their time; the
 * glossary names what it replaced.
 */
const skipped =
  /\.test\.tsx?$|\/testing\/|\.d\.ts$|^main\/history\/schema\.ts$|^native-helper\/.*\/tests\/|^docs\/adr\/|^docs\/GLOSSARY\.md$/;

const files = projectFiles(root).map((path) => ({
  path,
  read: () => readFileSync(`${root}${path}`, 'utf8'),
}));
const code = files.filter(({ path }) => /^(app|main|renderer)\/.*\.tsx?$/.test(path) && !skipped.test(path));
const words = new Set(code.flatMap(({ read }) => read().match(/[A-Za-z_$][\w$]*/g) ?? []));
const faults = [
  ...files
    .filter(({ path }) => texts.test(path) && !skipped.test(path))
    .flatMap(({ path, read }) => wordFaults(path, read())),
  ...unknownNames(readFileSync(`${root}docs/GLOSSARY.md`, 'utf8'), words),
];
if (faults.length > 0) {
  console.error(faults.join('\n'));
  console.error(`\nFaults of words and names: ${faults.length}. See docs/GLOSSARY.md.`);
  process.exitCode = 1;
}
