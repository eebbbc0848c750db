/** Shells that a line can be written for. */
export type Shell = 'posix' | 'fish' | 'powershell' | 'cmd' | 'nu';

const shells: Readonly<Record<string, Shell>> = {
  sh: 'posix',
  bash: 'posix',
  zsh: 'posix',
  dash: 'posix',
  ash: 'posix',
  ksh: 'posix',
  fish: 'fish',
  powershell: 'powershell',
  pwsh: 'powershell',
  cmd: 'cmd',
  nu: 'nu',
  nushell: 'nu',
};

/** What a person may write for a shell. */
export const shellNames: readonly string[] = Object.keys(shells);

/** By a shell's name, its path, or its program's name on Windows; null: none that is known. */
export function shellByName(name: string): Shell | null {
  const base = (name.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.exe$/, '');
  return Object.hasOwn(shells, base) ? (shells[base] ?? null) : null;
}

/**
 * The shell that a command was typed into, by its environment; null where SHELL names one that isn't known. On Windows
 * each process has a PSModulePath: PowerShell adds the person's own folder to it.
 */
export function callersShell(
  environment: Readonly<Record<string, string | undefined>>,
  platform: string,
): Shell | null {
  if (environment['SHELL']) {
    return shellByName(environment['SHELL']);
  }
  if (platform !== 'win32') {
    return 'posix';
  }
  const own = /\\Documents\\(Windows)?PowerShell\\Modules\\?(;|$)/i;
  return own.test(environment['PSModulePath'] ?? '') ? 'powershell' : 'cmd';
}

/** A line that sets the variable for this shell and what it starts, and a comment that says how to run it. */
export function setVariableLines(shell: Shell, name: string, value: string): string {
  switch (shell) {
    case 'posix':
      return `export ${name}=${posixQuoted(value)}\n# In the shell's profile: eval "$(lanyard env)"`;
    case 'fish':
      return `set -gx ${name} ${fishQuoted(value)}\n# In config.fish: lanyard env fish | source`;
    case 'powershell':
      return `$env:${name} = ${powershellQuoted(value)}\n# In $PROFILE: lanyard env powershell | Out-String | Invoke-Expression`;
    case 'cmd':
      // Inside the quotes & | < > are themselves; a path of Windows can't hold a quote.
      return `set "${name}=${value}"\nrem At the prompt: for /f "delims=" %i in ('lanyard env cmd') do @%i`;
    case 'nu':
      return `$env.${name} = ${nuQuoted(value)}\n# Once: lanyard env nu | save -f ($nu.user-autoload-dirs.0 | path join lanyard.nu)`;
  }
}

/** One word of a POSIX shell, whatever is in it. */
export function posixQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A word that a person may copy into a POSIX shell, quoted where it has to be. */
export function shellWord(text: string): string {
  return plainWord.test(text) ? text : posixQuoted(text);
}

/** The same for fish. */
export function fishWord(text: string): string {
  return plainWord.test(text) ? text : fishQuoted(text);
}

/** Nothing in it that any shell would see more in. */
const plainWord = /^[A-Za-z0-9._/-]+$/;

/** In fish's single quotes the backslash escapes itself and the quote (fish-language). */
function fishQuoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

/** PowerShell takes four typographic quotes for single quotes as well; each is doubled (about_Quoting_Rules). */
function powershellQuoted(text: string): string {
  return `'${text.replace(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`;
}

/** Nushell's double quotes know the escapes of JSON, and nothing is put in for `$`. */
function nuQuoted(text: string): string {
  return JSON.stringify(text);
}
