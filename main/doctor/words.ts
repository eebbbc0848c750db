/** A path as one word of a shell, for hints that are pasted. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9._/@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The code of a system error: `EACCES`. */
export function errorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException | null)?.code ?? 'unknown error';
}
