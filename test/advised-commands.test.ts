import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import contract from '../main/contract/commands.json' with { type: 'json' };
import { commandFault, commandOf } from './support/command-grammar.ts';

/** A text that people may read, and where it stands. `◇`: a part that is put in when it is shown. */
interface Shown {
  where: string;
  text: string;
}

const put = '◇';

/** Words after `lanyard` that are no command: the program's own name in a sentence. */
const prose = new Set(
  'was is has can can’t knows doesn’t reads writes on or this and locked stays recovery update'.split(' '),
);

const groups = new Set(
  contract.commands.flatMap(({ name }) => (name.includes(' ') ? [name.split(' ')[0]] : [])),
);

describe('the commands that are advised (rule: working-advice)', () => {
  test('are complete command lines, by their own usage', () => {
    const all = [...typescriptTexts(), ...rustTexts(), ...contractTexts()];
    const advised = all.flatMap(({ where, text }) =>
      commandsIn(text).map((words) => ({ where, words, text })),
    );
    // Of what there is; a reader that finds nothing would pass.
    expect(advised.length).toBeGreaterThan(100);
    const faults = advised.flatMap(({ where, words, text }) => {
      const fault = commandFault(words);
      return fault === null ? [] : [`${where}: ${fault}: ${text.slice(0, 160)}`];
    });
    expect(faults).toEqual([]);
  });

  test('so are the examples of help', () => {
    const examples = [contract, ...contract.commands].flatMap((each) => each.examples ?? []);
    expect(examples.length).toBeGreaterThan(20);
    for (const [line = ''] of examples) {
      const words = line.replace(/ < .*/, '').split(' ');
      expect([words[0], commandFault(words.slice(1))], line).toEqual(['lanyard', null]);
    }
  });

  test.each([
    ['run: lanyard logn ◇', 'there is no command logn ◇'],
    ['lanyard login', 'doesn’t fit the usage of login'],
    ['lanyard status --jsn', 'status has no --jsn'],
    ['run lanyard login ◇ ◇', 'doesn’t fit the usage of login'],
    ['lanyard cluster add NAME --server URL', 'doesn’t fit the usage of cluster add'],
  ])('%s is found out', (text, fault) => {
    expect(commandsIn(text).map(commandFault)).toEqual([expect.stringContaining(fault)]);
  });

  test.each(['lanyard was locked', 'lanyard unlock reads it again', 'lanyard login ◇; else try again'])(
    '%s is good',
    (text) => {
      expect(
        commandsIn(text)
          .map(commandFault)
          .filter((fault) => fault !== null),
      ).toEqual([]);
    },
  );
});

/** The command lines in a text: from `lanyard` as far as words of a command line follow. */
function commandsIn(text: string): string[][] {
  // Words that follow at once are put in at the end of a name: `lanyard agent${home}`.
  const parted = text.replace(/(?<=lanyard [a-z ]*[a-z])◇/g, ';');
  return [...parted.matchAll(/(?<![\w/.<-])lanyard (?=[a-z-])/g)].flatMap((found) => {
    const after = parted.slice(found.index + found[0].length);
    const [line = ''] = after.split(/[;:,()|"“”`\n<]|…|\.(?=\s|$)| {2,}|’s? /);
    const all = line.trim().split(' ');
    const [first = ''] = all;
    // `lanyard vault slot 1` and `lanyard way in 1` are labels that a key is used with.
    if (prose.has(first) || /^(vault slot|way in)\b/.test(line)) {
      return [];
    }
    const length = commandOf(all)?.length ?? (groups.has(first) || first === 'help' ? 2 : 1);
    const rest = all.slice(length);
    const end = rest.findIndex((word) => !isArgument(word));
    const words = [...all.slice(0, length), ...(end < 0 ? rest : rest.slice(0, end))];
    // Its name alone is what the config's key execCredential is about.
    return words.join(' ') === 'exec-credential' ? [] : [words];
  });
}

function isArgument(word: string): boolean {
  return /^(--[a-z-]+(=.+)?|-|[A-Z][A-Z0-9_./=]*|[A-Z]+\/[a-zA-Z.]+|.*◇.*|v1beta1|bash|zsh|fish|powershell|cmd|nu)$/.test(
    word,
  );
}

function sourcesOf(...patterns: string[]): string[] {
  return execFileSync('git', ['ls-files', '--', ...patterns], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && !/\.test\.ts$|\/testing\//.test(file));
}

/** Strings, templates and the text of elements; never comments. */
function typescriptTexts(): Shown[] {
  return sourcesOf('main/**/*.ts', 'app/**/*.ts', 'renderer/**/*.ts', 'renderer/**/*.tsx').flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
    const shown: Shown[] = [];
    const visit = (node: ts.Node): void => {
      const text = textOf(node);
      if (text?.includes('lanyard ')) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        shown.push({ where: `${file}:${line + 1}`, text });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return shown;
  });
}

function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) {
    return node.text;
  }
  return ts.isTemplateExpression(node)
    ? node.head.text + node.templateSpans.map(({ literal }) => `${put}${literal.text}`).join('')
    : null;
}

function rustTexts(): Shown[] {
  return sourcesOf('native-helper/*/src/**/*.rs').flatMap((file) => {
    const [code = ''] = readFileSync(file, 'utf8').split('#[cfg(test)]');
    const lines = code.split('\n').map((line) => line.replace(/^\s*\/\/.*$/, ''));
    return lines.flatMap((line, at) =>
      [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => ({
        where: `${file}:${at + 1}`,
        text: text.replace(/\\n/g, '\n').replace(/\{[^}]*\}/g, put),
      })),
    );
  });
}

/** What `lanyard help` and the manual page say. */
function contractTexts(): Shown[] {
  return contract.commands.flatMap(({ name, summary, options, notes }) =>
    [summary, ...options.map((each) => each.summary), ...notes].map((text) => ({
      where: `commands.json ${name}`,
      text,
    })),
  );
}
