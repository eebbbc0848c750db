import { describe, expect, it } from 'vitest';
import { styled, styleMarks } from '../../domain/text/style.ts';
import type { DoorAnswer } from '../../ports/door.ts';
import { silentLog } from '../../ports/log.ts';
import { type Command, done, json } from './command.ts';
import { createCliDoor } from './index.ts';
import { heading, stateText } from './status/state-text.ts';
import { table } from './table.ts';
import { commandCall } from './testing/command-call.ts';

const { reset, red, green, yellow } = styleMarks;

/** What the helper hears when it asks for `show`: each text in its turn, then the answer. */
async function heard(command: Command, styles?: boolean): Promise<{ texts: string[]; answer: DoorAnswer }> {
  const texts: string[] = [];
  const { terminal, ...context } = commandCall([]);
  const answer = await createCliDoor(new Map([['show', command]]), silentLog)(
    { args: ['show'], cwd: '/' },
    {
      ...context,
      terminal: {
        ...terminal,
        ...(styles !== undefined && { styles }),
        print: (text) => void texts.push(text),
        writeStdout: (text) => texts.push(text) > 0,
        ask: async (question) => {
          texts.push(question);
          return null;
        },
      },
    },
  );
  return { texts, answer };
}

const everywhere: Command = async ({ terminal }) => {
  terminal.print(styled.red('a'));
  terminal.writeStdout(styled.red('b'));
  await terminal.ask(styled.red('c'));
  return done(styled.red('d'), styled.red('e'));
};

describe('the CLI door', () => {
  it('hands styles to a helper that takes them', async () => {
    const { texts, answer } = await heard(everywhere, true);
    expect(texts).toEqual(['a', 'b', 'c'].map((letter) => `${red}${letter}${reset}`));
    expect(answer).toEqual({ code: 0, stdout: `${red}d${reset}\n`, stderr: `${red}e${reset}\n` });
  });

  it.each([false, undefined])('leaves them out everywhere for one that doesn’t (%s)', async (styles) => {
    const { texts, answer } = await heard(everywhere, styles);
    expect(texts).toEqual(['a', 'b', 'c']);
    expect(answer).toEqual({ code: 0, stdout: 'd\n', stderr: 'e\n' });
  });
});

it('a table’s columns are as wide as what is seen', () => {
  const rows = [heading('STATE', 'AS'), [stateText('ready'), 'Änne'], ['größer', '鍵'], ['x', 'y']];
  const plain = table(rows).replace(/[\ufdd0-\ufdef]/g, '');
  expect(plain).toBe('STATE   AS\nready   Änne\ngrößer  鍵\nx       y');
  expect(table(rows)).toContain(`${green}ready${reset}   Änne`);
});

it.each([
  ['ready', 'ready', green],
  ['loginNeeded', 'log in', yellow],
  ['held', 'pending approval', yellow],
  ['locked', 'locked', yellow],
  ['rejecting', 'rejected (401)', red],
  ['invalid', 'can’t be used', red],
])('the state %s is told in words, with its colour', (state, words, mark) => {
  expect(stateText(state)).toBe(`${mark}${words}${reset}`);
});

it('JSON holds no mark and nothing that steers a terminal, and says the same', () => {
  const value = { name: 'a\ufdd3b\u009b2J\u202e\u{e0041}\u2028\n"', list: [1, null] };
  const text = json(value);
  expect(text.replaceAll('\n', '')).toMatch(/^[\x20-\x7e]*$/);
  expect(JSON.parse(text)).toEqual(value);
  expect(text.split('\n')).toHaveLength(7);
});
