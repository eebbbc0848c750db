import { describe, expect, it } from 'vitest';
import { configName } from '../../contract/config/names.ts';
import { styled, styleMarks, visibleWidth, withoutStyle } from './style.ts';
import { visibleText } from './visible-text.ts';

const { reset, red, bold } = styleMarks;

describe('styled', () => {
  it('puts a mark before the text and the end behind it', () => {
    expect(styled.red('x')).toBe(`${red}x${reset}`);
  });

  it('goes on after a style inside it', () => {
    expect(styled.bold(`a${styled.red('b')}c`)).toBe(`${bold}a${red}b${reset}${bold}c${reset}`);
  });

  it('makes nothing of nothing', () => {
    expect(styled.red('')).toBe('');
  });
});

it('withoutStyle leaves the text alone', () => {
  expect(withoutStyle(`größe ${styled.bold(`1 ${styled.red('2')}`)} 鍵\ufdef`)).toBe('größe 1 2 鍵');
});

describe('text from outside', () => {
  it.each(Array.from({ length: 32 }, (_, index) => 0xfdd0 + index))(
    'can’t hold the mark %i where it is shown',
    (code) => {
      const mark = String.fromCodePoint(code);
      expect(visibleText(`a${mark}b`)).toBe(`a\\u{${code.toString(16)}}b`);
      expect(configName.safeParse(`a${mark}b`).success).toBe(false);
    },
  );
});

it.each([
  ['plain', 5],
  [styled.green('ready'), 5],
  ['größe', 5],
  ['gro\u0308ße', 5],
  ['鍵', 2],
  ['한글', 4],
  ['🔑 x', 4],
  ['', 0],
])('visibleWidth of %j is %i', (text, width) => {
  expect(visibleWidth(text)).toBe(width);
});
