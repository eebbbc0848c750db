import { labelKeyFaults } from '../image/label-key.ts';
import { shownName } from '../text/shown-name.ts';
import { isLabelValue } from './label-value.ts';

type Labels = ReadonlyMap<string, string>;

/** `fault`: in words that continue the selector. */
export type ParsedSelector =
  | { ok: true; matches: (labels: Labels) => boolean }
  | { ok: false; fault: string };

interface Token {
  kind: 'word' | 'symbol' | 'end';
  text: string;
}

type Requirement = (labels: Labels) => boolean;

/** It ends the parsing; its message is the fault. */
class SelectorFault extends Error {}

/**
 * Parses a label selector as `kubectl get -l` does (labels.Parse of k8s.io/apimachinery): `a`, `!a`, `a=b`, `a==b`,
 * `a!=b`, `a in (b,c)`, `a notin (b,c)`, `a>1`, `a<1`, all of which must match. Empty matches everything.
 */
export function parseLabelSelector(text: string): ParsedSelector {
  try {
    const requirements = new Parser(tokensOf(text)).selector();
    return { ok: true, matches: (labels) => requirements.every((matches) => matches(labels)) };
  } catch (error) {
    if (error instanceof SelectorFault) {
      return { ok: false, fault: error.message };
    }
    throw error;
  }
}

const piece = /[ \t\r\n]*(?:(==|!=|[=!(),<>])|([^=!(),<> \t\r\n]+))/gy;

function tokensOf(text: string): Token[] {
  const tokens = [...text.matchAll(piece)].map(
    ([, symbol, word = '']): Token =>
      symbol === undefined ? { kind: 'word', text: word } : { kind: 'symbol', text: symbol },
  );
  return [...tokens, { kind: 'end', text: '' }];
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  selector(): Requirement[] {
    const requirements: Requirement[] = [];
    if (this.#isEnd()) {
      return requirements;
    }
    for (;;) {
      requirements.push(this.#requirement());
      if (this.#isEnd()) {
        return requirements;
      }
      this.#expect(',');
    }
  }

  get #next(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', text: '' };
  }

  #take(): Token {
    const token = this.#next;
    this.#at += 1;
    return token;
  }

  #isEnd(): boolean {
    return this.#next.kind === 'end';
  }

  #is(symbol: string): boolean {
    return this.#next.kind === 'symbol' && this.#next.text === symbol;
  }

  #expect(symbol: string): void {
    if (!this.#is(symbol)) {
      throw new SelectorFault(`has ${shownToken(this.#next)} where ${symbol} is expected`);
    }
    this.#at += 1;
  }

  #word(what: string): string {
    const token = this.#take();
    if (token.kind !== 'word') {
      throw new SelectorFault(`has ${shownToken(token)} where ${what} is expected`);
    }
    return token.text;
  }

  #requirement(): Requirement {
    const isNot = this.#is('!');
    if (isNot) {
      this.#at += 1;
    }
    const key = this.#word('a label’s key');
    if (labelKeyFaults(key).length > 0) {
      throw new SelectorFault(`has ${shownName(key)}, which is no label’s key`);
    }
    if (isNot) {
      return (labels) => !labels.has(key);
    }
    return this.#isEnd() || this.#is(',') ? (labels) => labels.has(key) : this.#compared(key);
  }

  #compared(key: string): Requirement {
    const { kind, text } = this.#take();
    if (kind === 'word' && (text === 'in' || text === 'notin')) {
      const values = this.#values();
      return text === 'in'
        ? (labels) => values.has(labels.get(key))
        : (labels) => !values.has(labels.get(key));
    }
    switch (kind === 'symbol' ? text : '') {
      case '=':
      case '==': {
        const value = this.#value();
        return (labels) => labels.get(key) === value;
      }
      case '!=': {
        const value = this.#value();
        return (labels) => labels.get(key) !== value;
      }
      case '>':
      case '<':
        return ordered(key, text === '>', this.#value());
      default:
        throw new SelectorFault(
          `has ${shownToken({ kind, text })} where =, ==, !=, in, notin, > or < is expected`,
        );
    }
  }

  /** Nothing is the empty value. */
  #value(): string {
    return checked(this.#isEnd() || this.#is(',') ? '' : this.#word('a value'));
  }

  /** Between commas, nothing is the empty value, too. */
  #values(): ReadonlySet<string | undefined> {
    this.#expect('(');
    const values = new Set<string | undefined>();
    for (;;) {
      values.add(this.#is(',') || this.#is(')') ? '' : checked(this.#word('a value')));
      if (this.#is(')')) {
        this.#at += 1;
        return values;
      }
      this.#expect(',');
    }
  }
}

function checked(value: string): string {
  if (!isLabelValue(value)) {
    throw new SelectorFault(`has ${shownName(value)}, which is no label’s value`);
  }
  return value;
}

function ordered(key: string, isGreater: boolean, text: string): Requirement {
  const limit = integer(text);
  if (limit === null) {
    throw new SelectorFault(`compares with ${shownName(text)}, which is no integer`);
  }
  return (labels) => {
    const value = integer(labels.get(key) ?? '');
    return value !== null && (isGreater ? value > limit : value < limit);
  };
}

/** A 64-bit one, as strconv.ParseInt; a label’s value has no sign. */
function integer(text: string): bigint | null {
  const value = /^\d+$/.test(text) ? BigInt(text) : null;
  return value !== null && value < 2n ** 63n ? value : null;
}

function shownToken({ kind, text }: Token): string {
  return kind === 'end' ? 'an end' : kind === 'word' ? shownName(text) : text;
}
