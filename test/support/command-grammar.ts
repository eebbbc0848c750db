import contract from '../../main/contract/commands.json' with { type: 'json' };

interface Form {
  required: number;
  /** Infinity: any number. */
  most: number;
  needed: readonly string[];
}

interface Grammar {
  options: ReadonlyMap<string, boolean>;
  forms: readonly Form[];
}

const grammars: ReadonlyMap<string, Grammar> = new Map(
  contract.commands.map(({ name, usage, options }) => [
    name,
    {
      options: new Map(
        options.map(({ option }) => [option.split(' ')[0] ?? '', option.includes(' ')] as const),
      ),
      forms: usage.split('\n').map((line) => formOf(line.trim().slice(`lanyard ${name}`.length))),
    },
  ]),
);

/** `NAME --server URL [--audience NAME]`: what stands outside of brackets is needed. */
function formOf(usage: string): Form {
  const tokens = usage
    .replace(/\[--[^[\]]*(\[[^\]]*\][^[\]]*)?\]/g, ' ')
    .replace(/\[[A-Z]+ …\]/, '[…]')
    .split(/\s+/)
    .filter((token) => token !== '');
  const needed = tokens.filter((token) => token.startsWith('--'));
  const words = tokens.filter((token, at) => !token.startsWith('--') && !tokens[at - 1]?.startsWith('--'));
  const optional = words.filter((word) => word.startsWith('['));
  return {
    required: words.length - optional.length,
    most: optional.includes('[…]') ? Number.POSITIVE_INFINITY : words.length,
    needed,
  };
}

/** The command that these words begin with, and how many of them name it; null: none. */
export function commandOf(words: readonly string[]): { name: string; length: number } | null {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    if (words.length >= length && grammars.has(name)) {
      return { name, length };
    }
  }
  return null;
}

/** What `lanyard WORDS` would be refused for by its usage; null: it is a whole command line. */
export function commandFault(words: readonly string[]): string | null {
  if (words[0] === 'help' || words[0] === '--version' || words[0] === '--help') {
    const about = words.slice(1).filter((word) => word !== 'COMMAND' && word !== 'exit-codes');
    const isGroup = [...grammars.keys()].some((name) => name.startsWith(`${about.join(' ')} `));
    return about.length === 0 || isGroup || commandOf(about)?.length === about.length
      ? null
      : `help knows no ${about.join(' ')}`;
  }
  const found = commandOf(words);
  const grammar = found && grammars.get(found.name);
  if (!found || !grammar) {
    return `there is no command ${words.slice(0, 2).join(' ')}`;
  }
  const rest = words.slice(found.length);
  if (rest.includes('--help')) {
    return null;
  }
  const positionals: string[] = [];
  const options: string[] = [];
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    if (!word.startsWith('--')) {
      positionals.push(word);
      continue;
    }
    const [option = '', value] = word.split('=', 2);
    const takesValue = grammar.options.get(option);
    if (takesValue === undefined) {
      return `${found.name} has no ${option}`;
    }
    options.push(option);
    if (takesValue && value === undefined) {
      at += 1;
      if (rest[at] === undefined) {
        return `${option} of ${found.name} needs a value`;
      }
    }
  }
  const fits = grammar.forms.some(
    ({ required, most, needed }) =>
      positionals.length >= required &&
      positionals.length <= most &&
      needed.every((each) => options.includes(each)),
  );
  return fits ? null : `${['lanyard', ...words].join(' ')} doesn’t fit the usage of ${found.name}`;
}
