import { BrokerError } from '../../../contract/broker-error.ts';
import { didYouMean } from '../../../domain/text/nearest-name.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';

/** What a prompt may name; empty where it isn't known. */
export const promptFields = [
  'context',
  'namespace',
  'cluster',
  'account',
  'as',
  'state',
  'left',
  'vault',
] as const;

export type PromptField = (typeof promptFields)[number];
export type PromptValues = Readonly<Record<PromptField, string>>;

type Part = string | { field: PromptField; inner: readonly Part[] | null };

/** A terminal's line is shorter. */
const longestTemplate = 4096;
const longestValue = 256;

/**
 * Parses a prompt’s template: `{state}` is a field, `{left? (ends in {left})}` is text that is only printed where the
 * field isn’t empty, `{{` is a brace. Throws BrokerError `prompt.format` (reason usage).
 */
export function parsePromptText(template: string): readonly Part[] {
  if (template.length > longestTemplate) {
    throw formatError('the format is too long');
  }
  return readParts({ text: template, at: 0 }, 0);
}

/**
 * What a shell would act on if a prompt came to it twice, as in PROMPT_COMMAND='PS1="$(lanyard status …)"': a context's
 * name may be anybody's. No name that is in use holds them.
 */
const shellCharacters = /[$`\\]/g;

/** The text with the values put in; what of a value could act on the terminal or a shell is not sent. */
export function promptText(parts: readonly Part[], values: PromptValues): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') {
        return part;
      }
      const value = visibleText(values[part.field], longestValue).replace(shellCharacters, '?');
      return part.inner === null || value === '' ? value : promptText(part.inner, values);
    })
    .join('');
}

interface Cursor {
  text: string;
  at: number;
}

function readParts(cursor: Cursor, depth: number): readonly Part[] {
  const parts: Part[] = [];
  const { text } = cursor;
  while (cursor.at < text.length) {
    const rest = text.slice(cursor.at);
    if (rest.startsWith('{{')) {
      parts.push('{');
      cursor.at += 2;
    } else if (rest.startsWith('{')) {
      parts.push(readField(cursor, rest, depth));
    } else if (rest.startsWith('}') && depth > 0) {
      return parts;
    } else {
      const plain = /^[^{}]+|^\}/.exec(rest)?.[0] ?? '';
      parts.push(plain);
      cursor.at += plain.length;
    }
  }
  if (depth > 0) {
    throw formatError('a } is missing');
  }
  return parts;
}

function readField(cursor: Cursor, rest: string, depth: number): Part {
  const [head = '', name = '', mark] = /^\{([^{}?]*)([?}])?/.exec(rest) ?? [];
  const field = promptFields.find((each) => each === name);
  if (mark === undefined) {
    throw formatError(`the } after {${visibleText(name, 40)} is missing`);
  }
  if (field === undefined) {
    const near = didYouMean(name, promptFields);
    throw formatError(
      `there is no {${visibleText(name, 40)}}${near}; it knows ${promptFields.map((each) => `{${each}}`).join(' ')}`,
    );
  }
  cursor.at += head.length;
  if (mark === '}') {
    return { field, inner: null };
  }
  const inner = readParts(cursor, depth + 1);
  cursor.at += 1;
  return { field, inner };
}

function formatError(what: string): BrokerError {
  return new BrokerError('prompt.format', `status --format: ${what}`, {
    reason: 'usage',
    hint: 'see: lanyard status --help',
  });
}
