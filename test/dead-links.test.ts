import { expect, test } from 'vitest';
import { deadLinks, missingCommands, missingFiles } from '../scripts/dead-links.ts';

const files = new Set(['README.md', 'docs/guide/cli.md', 'docs/a b.png', 'LICENSE']);

function dead(markdown: string): string[] {
  const documents = new Map([
    ['README.md', '# Top\n## Exit codes\n## Exit codes\n## The `lanyard` *command*: what’s new?\n'],
    ['docs/guide/cli.md', `# CLI\n\n${markdown}\n`],
  ]);
  return deadLinks(documents, files);
}

test.each([
  ['a file', '[x](../../README.md)'],
  ['a folder', '[x](..)'],
  ['a folder with a slash', '[x](../../docs/)'],
  ['a heading', '[x](../../README.md#exit-codes)'],
  ['the second heading of the same text', '[x](../../README.md#exit-codes-1)'],
  ['a heading with code and marks', '[x](../../README.md#the-lanyard-command-whats-new)'],
  ['a heading of its own', '[x](#cli)'],
  ['a picture whose name is encoded', '![x](../a%20b.png)'],
  ['a picture in HTML', '<picture><source srcset="../a b.png"><img src="../a b.png"></picture>'],
  ['an id of its own', '<a id="here"></a>\n\n[x](#here)'],
  ['another site', '[x](https://example.com/none#none) <mailto:a@example.com>'],
  ['a reference', '[x][y] and [y][]\n\n[y]: ../../README.md'],
  ['what is code', '`[x](none.md)`\n\n    [x](none.md)\n\n```\n[x](none.md)\n```'],
])('a link to %s is good', (_, markdown) => {
  expect(dead(markdown)).toEqual([]);
});

test.each([
  ['a file that is not there', '[x](../none.md)', '../none.md: there is no such file in the repository'],
  ['other letters', '[x](../../readme.md)', '../../readme.md: there is no such file in the repository'],
  ['a path from the root', '[x](/LICENSE)', '/LICENSE: there is no such file in the repository'],
  ['what is above the repository', '[x](../../..)', '../../..: there is no such file in the repository'],
  ['no heading', '[x](../../README.md#none)', '../../README.md#none: README.md has no such heading'],
  ['no heading of its own', '[x](#none)', '#none: docs/guide/cli.md has no such heading'],
  ['a heading of a picture', '[x](../a%20b.png#none)', '../a%20b.png#none: docs/a b.png has no such heading'],
  ['no text', '[x](50%.md)', '50%.md: its percent signs encode no text'],
  ['a missing picture', '![x](none.png)', 'none.png: there is no such file in the repository'],
  ['a missing picture in HTML', '<img src="none.png">', 'none.png: there is no such file in the repository'],
  [
    'a missing file, by reference',
    '[x][y]\n\n[y]: none.md',
    'none.md: there is no such file in the repository',
  ],
  [
    'a missing file, in single quotes',
    "<a href='none.md'>x</a>",
    'none.md: there is no such file in the repository',
  ],
  ['a reference that is not there', '[x][none]', '[x][none]: there is no such reference'],
  [
    'a missing file, in a table',
    '| a |\n| --- |\n| [x](none.md) |',
    'none.md: there is no such file in the repository',
  ],
])('a link to %s is dead', (_, markdown, fault) => {
  const [line, ...more] = dead(markdown);
  expect(line).toMatch(/^docs\/guide\/cli\.md:[1-9]\d*: /);
  expect([line?.replace(/^[^ ]* /, ''), ...more]).toEqual([fault]);
});

test.each([
  ['`docs/guide/cli.md`', []],
  ['`docs/guide` and `docs/guide/`', []],
  ['`docs/guide/AREA-x.ts`, `docs/*.md`, `/docs/none`, `none/none.ts`, `docs`', []],
  ['`docs/none.md`', ['docs/guide/cli.md:1: docs/none.md: there is no such file in the repository']],
])('files that are named in code are there: %s', (markdown, faults) => {
  expect(missingFiles(new Map([['docs/guide/cli.md', markdown]]), files)).toEqual(faults);
});

test.each([
  ['`npm run build`, `npm run -s build:app`, `./scripts/test grants`', []],
  ['    npm run build -- --long\n    ./scripts/test', []],
  ['`npm run none`', ['README.md:1: npm run none: package.json has no such script']],
  [
    '    npm run --silent check:none',
    ['README.md:1: npm run --silent check:none: package.json has no such script'],
  ],
  ['`./scripts/none --long`', ['README.md:1: ./scripts/none: there is no such file in the repository']],
])('commands that are named are there: %s', (markdown, faults) => {
  const scripts = new Set(['build', 'build:app']);
  expect(missingCommands(new Map([['README.md', markdown]]), scripts, new Set(['scripts/test']))).toEqual(
    faults,
  );
});
