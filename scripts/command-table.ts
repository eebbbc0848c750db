import { readFileSync } from 'node:fs';

/** main/contract/commands.json, which help, completion, the manual page and the CLI reference are made from. */
export interface CommandTable {
  program: string;
  summary: string;
  /** The commands as `lanyard help` shows them, each by its name or by the first word of several. */
  groups: { title: string; commands: string[] }[];
  examples: string[][];
  commands: CommandRow[];
  exitCodes: [number, string][];
}

export interface CommandRow {
  name: string;
  usage: string;
  summary: string;
  options: CommandOption[];
  /** Of a command that makes several kinds of things: each kind’s name and meaning, in the order of the usage lines. */
  kinds?: string[][];
  examples?: string[][];
  notes: string[];
}

export interface CommandOption {
  /** With its value: `--json`, `--token id|access`. */
  option: string;
  summary: string;
  /** It may be given more than once. */
  repeats?: boolean;
}

/** What an option does, as help and references say it. */
export function optionText({ summary, repeats }: CommandOption): string {
  return repeats ? `${summary}; can be repeated` : summary;
}

/** Reads the table afresh, so that a changed file is seen without another start. */
export function readCommandTable(): CommandTable {
  const file = new URL('../main/contract/commands.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as CommandTable;
}
