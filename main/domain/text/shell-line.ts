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

/** The names of shells that the user may write. */
export const shellNames: readonly string[] = Object.keys(shells);

/** By a shell's name, its path, or its program's name on Windows; null: unknown. */
export function shellByName(name: string): Shell | null {
  const base = (name.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.exe$/, '');
  return Object.hasOwn(shells, base) ? (shells[base] ?? null) : null;
}

/**
 * The shell that a command was typed into, from its environment; null: SHELL names an unknown one. On Windows each
 * process has a PSModulePath: PowerShell adds the user's own folder to it.
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

/** A line that sets the variable for this shell and its children, and a comment that says how to run it. */
export function setVariableLines(shell: Shell, name: string, value: string): string {
  switch (shell) {
    case 'posix':
      return `export ${name}=${posixQuoted(value)}\n# In the shell's profile: eval "$(lanyard env)"`;
    case 'fish':
      return `set -gx ${name} ${fishQuoted(value)}\n# In config.fish: lanyard env fish | source`;
    case 'powershell':
      return `$env:${name} = ${powershellQuoted(value)}\n# In $PROFILE: lanyard env powershell | Out-String | Invoke-Expression`;
    case 'cmd':
      // Inside the quotes & | < > are literal; a Windows path can't contain a quote.
      return `set "${name}=${value}"\nrem At the prompt: for /f "delims=" %i in ('lanyard env cmd') do @%i`;
    case 'nu':
      return `$env.${name} = ${nuQuoted(value)}\n# Once: lanyard env nu | save -f ($nu.user-autoload-dirs.0 | path join lanyard.nu)`;
  }
}

/** One word of a POSIX shell, whatever its content. */
export function posixQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A word for the user to copy into a shell of this system, quoted where needed. */
export function shellWord(text: string): string {
  return wordFor(text, process.platform);
}

/**
 * A word of a POSIX shell. On Windows of PowerShell and cmd, which both take a path in double quotes; what PowerShell
 * would expand or end there is in its single quotes.
 */
export function wordFor(text: string, platform: string): string {
  if (platform !== 'win32') {
    return plainWord.test(text) ? text : posixQuoted(text);
  }
  if (/["\u201c-\u201e$`]/.test(text)) {
    return powershellQuoted(text);
  }
  return plainWindowsWord.test(text) ? text : `"${text}"`;
}

/** A line that runs a command with this variable. PowerShell, which Windows has it for, keeps that for the session. */
export function lineWithVariable(name: string, value: string, command: string): string {
  return process.platform === 'win32'
    ? `$env:${name} = ${powershellQuoted(value)}; ${command}`
    : `${name}=${shellWord(value)} ${command}`;
}

/** The same for fish. */
export function fishWord(text: string): string {
  return plainWord.test(text) ? text : fishQuoted(text);
}

/** It has no character that is special in any shell. */
const plainWord = /^[A-Za-z0-9._/-]+$/;
const plainWindowsWord = /^[A-Za-z0-9._/\\:-]+$/;

/** In fish's single quotes the backslash escapes itself and the quote (fish-language). */
function fishQuoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

/** PowerShell takes four typographic quotes for single quotes as well; each is doubled (about_Quoting_Rules). */
export function powershellQuoted(text: string): string {
  return `'${text.replace(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`;
}

/** Nushell's double quotes have the escapes of JSON, and don't expand `$`. */
function nuQuoted(text: string): string {
  return JSON.stringify(text);
}
