import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import contract from '../main/contract/commands.json' with { type: 'json' };
import { startCommand } from '../main/contract/start-command.ts';

/** Where a user who finds no broker running looks, and what stands around the command there. */
const places: readonly (readonly [string, RegExp])[] = [
  ['native-helper/helper/src/reach.rs', /"start it with: ([^"]+)"/],
  ['native-helper/helper/src/os/windows/trusted.rs', /start the agent, which closes it: ([^"]+)"/],
  ['docs/guide/troubleshooting.md', /^\| 17 \|[^|]*\| `([^`]+)`, or start the app \|$/m],
  ['docs/guide/daily-use.md', /start it in a terminal with `([^`]+)`/],
  ['docs/guide/getting-started.md', /^ {4}(lanyard agent) 2>agent\.log &$/m],
];

test.each(places)('%s names the command that starts Lanyard', (file, command) => {
  expect(command.exec(readFileSync(file, 'utf8'))?.[1]).toBe(startCommand);
});

test('it is a command, without more words', () => {
  const [, name = ''] = startCommand.split(' ');
  expect(contract.commands.find((each) => each.name === name)?.usage).toMatch(
    /^lanyard agent( \[[^\]]+\])*$/,
  );
});

const told = /to start it|start it (?:now|again)/i;
const ofPage = readdirSync('renderer', { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
  .map((file) => `renderer/${file}`)
  .filter((file) => told.test(readFileSync(file, 'utf8')));

test('the page tells it in several places', () => {
  expect(ofPage.length).toBeGreaterThan(1);
});

test.each([...ofPage, 'renderer/shell/connection-notice.tsx'])('%s takes it from the contract', (file) => {
  expect(readFileSync(file, 'utf8')).toMatch(/\{startCommand\}/);
});
