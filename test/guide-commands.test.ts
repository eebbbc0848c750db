import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexer, walkTokens } from 'marked';
import { describe, expect, test } from 'vitest';
import contract from '../main/contract/commands.json' with { type: 'json' };
import { commandFault } from './support/command-grammar.ts';

const root = join(import.meta.dirname, '..');
const groups = new Set(contract.commands.map(({ name }) => name.split(' ')[0]));

describe('the commands in the guide', () => {
  test('are command lines by their own usage', () => {
    const documents = [
      'README.md',
      'docs/guide',
      'docs/clients.md',
      'docs/DEVELOPING.md',
      ':!docs/guide/cli.md',
    ];
    const files = execFileSync('git', ['ls-files', '--', ...documents], { cwd: root, encoding: 'utf8' });
    const found = files
      .split('\n')
      .filter((file) => file !== '')
      .flatMap((file) => checked(readFileSync(join(root, file), 'utf8')).map((each) => ({ file, ...each })));
    expect(found.length).toBeGreaterThan(100);
    expect(found.filter(({ fault }) => fault !== null)).toEqual([]);
  });

  test.each([
    ['    lanyard logn corp', 'there is no command'],
    ['    lanyard login', 'doesn’t fit the usage'],
    ['    eval "$(lanyard env --fish)"', 'env has no --fish'],
    ['Say `lanyard status --jsn`.', 'status has no --jsn'],
    ['Say `lanyard frob`.', 'there is no command'],
  ])('%s is found out', (markdown, fault) => {
    expect(checked(markdown)).toEqual([expect.objectContaining({ fault: expect.stringContaining(fault) })]);
  });

  test.each([
    '    lanyard agent 2>agent.log &',
    '    lanyard secret set ops < key.pem   # lanyard frob',
    '    PS1=\'$(lanyard status --format "{a} {b}")\'',
    'Say `lanyard login --paste`, or edit with `lanyard account`.',
  ])('%s is good', (markdown) => {
    const faults = checked(markdown).map(({ fault }) => fault);
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.filter((fault) => fault !== null)).toEqual([]);
  });
});

/** Each command line of Lanyard's in the code of a document, and what is wrong with it. */
function checked(markdown: string): { words: string; fault: string | null }[] {
  return codeLinesOf(markdown).flatMap(({ line, isInline }) =>
    commandsIn(line).map((words) => {
      const fault = commandFault(words);
      return { words: words.join(' '), fault: isInline && namesCommand(words, fault) ? null : fault };
    }),
  );
}

/** In a sentence, `lanyard login --paste` or `lanyard account` names commands, and needs no more of them. */
function namesCommand([first = '', ...more]: readonly string[], fault: string | null): boolean {
  return fault?.includes('doesn’t fit') === true || (more.length === 0 && groups.has(first));
}

/** Lines of code without their comments, in blocks and in sentences. */
function codeLinesOf(markdown: string): { line: string; isInline: boolean }[] {
  const lines: { line: string; isInline: boolean }[] = [];
  walkTokens(lexer(markdown), (token) => {
    if (token.type === 'code' || token.type === 'codespan') {
      const isInline = token.type === 'codespan';
      const text = String(token.text).split('\n');
      lines.push(...text.map((line) => ({ line: line.split(/(?:^|\s)#\s/)[0] ?? '', isInline })));
    }
  });
  return lines;
}

/** The words after each `lanyard`, as a shell parts them, up to what ends a command. */
function commandsIn(line: string): string[][] {
  return [...line.matchAll(/(?<![\w/.:-])lanyard (?=[a-z-])/g)].map(({ index, 0: { length } }) => {
    const rest = line.slice(index + length);
    const words = rest.matchAll(/(?:"([^"]*)"|'([^']*)'|([^\s"'`<>|&;()…,]+(?![^\s]*>))|(\S))\s*/g);
    const taken: string[] = [];
    for (const [, double, single, bare] of words) {
      const word = double ?? single ?? bare;
      if (word === undefined) {
        break;
      }
      taken.push(word);
    }
    return taken;
  });
}
