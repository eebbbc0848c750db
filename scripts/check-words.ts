/** `npm run check:words`: no text that users read, and no name, has a word that docs/GLOSSARY.md replaced. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { wordFaults } from './retired-words.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Tests speak of cases; SQL keeps the words that it was written with. */
const skipped = /\.test\.tsx?$|\/testing\/|\.d\.ts$|^main\/history\/schema\.ts$/;

const listed = execFileSync('git', ['ls-files', '-z', 'app', 'main', 'renderer'], {
  cwd: root,
  encoding: 'utf8',
});
const faults = listed
  .split('\0')
  .filter((path) => /\.tsx?$/.test(path) && !skipped.test(path) && existsSync(`${root}${path}`))
  .flatMap((path) => wordFaults(path, readFileSync(`${root}${path}`, 'utf8')));
if (faults.length > 0) {
  console.error(faults.join('\n'));
  console.error(`\nRetired words: ${faults.length}. See docs/GLOSSARY.md.`);
  process.exitCode = 1;
}
