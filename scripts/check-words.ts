/** `npm run check:words`: no text that users read, and no name, has a word that docs/GLOSSARY.md replaced. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
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

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
});
const faults = listed
  .split('\0')
  .filter((path) => texts.test(path) && !skipped.test(path) && existsSync(`${root}${path}`))
  .flatMap((path) => wordFaults(path, readFileSync(`${root}${path}`, 'utf8')));
if (faults.length > 0) {
  console.error(faults.join('\n'));
  console.error(`\nRetired words: ${faults.length}. See docs/GLOSSARY.md.`);
  process.exitCode = 1;
}
