import { visibleText } from '../text/visible-text.ts';

/** `kubectl` for `/usr/local/bin/kubectl`, by text only; null: unknown. */
export function programName(executable: string | null, limit: number): string | null {
  return executable === null ? null : visibleText(executable.split(/[\\/]/).at(-1) || executable, limit);
}
