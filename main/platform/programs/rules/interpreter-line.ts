import type { Interpreter } from '../../../domain/program/program.ts';

/**
 * The interpreter that a script's first bytes name (execve(2), "Interpreter scripts"); null where it is no script.
 */
export function interpreterOf(head: Buffer): Interpreter | null {
  const line = /^#![ \t]*([^\n]*)/.exec(head.toString('utf8'))?.[1];
  const [path = '', ...words] = (line ?? '').replace(/[ \t]+$/, '').split(/[ \t]+/);
  if (path === '') {
    return null;
  }
  const searched = /(^|\/)env$/.test(path)
    ? words.find((word) => !word.startsWith('-') && !word.includes('='))
    : undefined;
  return { path, searched: searched ?? null };
}
