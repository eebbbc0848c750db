import { visibleText } from '../text/visible-text.ts';

/** `kubectl` of `/usr/local/bin/kubectl`, as text and nothing else; null: nobody knows which it was. */
export function programName(executable: string | null, limit: number): string | null {
  return executable === null ? null : visibleText(executable.split(/[\\/]/).at(-1) || executable, limit);
}
