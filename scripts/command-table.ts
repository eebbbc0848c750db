import { readFileSync } from 'node:fs';

/** main/contract/commands.json, which help, completion, the manual page and the CLI reference are made from. */
export interface CommandTable {
  program: string;
  summary: string;
  commands: { name: string; usage: string; summary: string; options: string[][]; notes: string[] }[];
  exitCodes: [number, string][];
}

/** Reads the table afresh, so that a changed file is seen without another start. */
export function readCommandTable(): CommandTable {
  const file = new URL('../main/contract/commands.json', import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as CommandTable;
}
