/** Arguments and variables that a plugin gets for a cluster, as text of one on each line. */
export interface PluginLines {
  additionalArgs: string;
  /** NAME=value */
  additionalEnv: string;
}

interface Variable {
  name: string;
  value: string;
}

export function argumentLines(args: unknown): string {
  return Array.isArray(args) ? args.map(String).join('\n') : '';
}

export function variableLines(env: unknown): string {
  return Array.isArray(env)
    ? env.map((each: Partial<Variable> | null) => `${each?.name ?? ''}=${each?.value ?? ''}`).join('\n')
    : '';
}

/** Keeps what was written as long as its text is: an argument may have a line break. Undefined: none. */
export function typedArguments(typed: string, before: unknown): unknown {
  if (typed === argumentLines(before)) {
    return before;
  }
  // An argument may be empty or begin with a blank.
  return typed.trim() === '' ? undefined : typed.replace(/\n$/, '').split('\n');
}

/** The same for variables. A line without `=` is a name with an empty value. */
export function typedVariables(typed: string, before: unknown): unknown {
  if (typed === variableLines(before)) {
    return before;
  }
  const lines = typed.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line): Variable => {
    const at = line.indexOf('=');
    const [name, value] = at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
    return { name: name.trim(), value };
  });
  return pairs.length === 0 ? undefined : pairs;
}
