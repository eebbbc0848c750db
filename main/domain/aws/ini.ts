/** The options of each section by name, in lower case: the last line of an option’s value, and those that go on with it. */
export type IniSections = ReadonlyMap<string, ReadonlyMap<string, string>>;

export type ReadIni = { ok: true; sections: IniSections } | { ok: false; line: number; fault: string };

/** The options of `[DEFAULT]` times the other sections: each gets all of them. */
const mostDefaults = 100_000;

/**
 * A file of the AWS tools, as botocore reads it: with Python’s `configparser.RawConfigParser` (Python, "Supported INI File
 * Structure"). Comments are whole lines (`#`, `;`), names end at the first `=` or `:`, an indented line goes on with the
 * option above it, `[DEFAULT]` counts in each section, and what stands twice is an error. `fault`: what line `line` is, from 1;
 * it repeats nothing of the file.
 */
export function readIni(text: string): ReadIni {
  const sections = new Map<string, Map<string, string[]>>();
  let section: Map<string, string[]> | null = null;
  let lines: string[] | null = null;
  let indentOfOption = 0;
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const failed = (fault: string): ReadIni => ({ ok: false, line: index + 1, fault });
    const line = raw.trim();
    if (line === '' || /^[#;]/.test(line)) {
      if (line === '') {
        lines?.push('');
      }
      continue;
    }
    const indent = raw.length - raw.trimStart().length;
    if (lines !== null && indent > indentOfOption) {
      lines.push(line);
      continue;
    }
    indentOfOption = indent;
    const header = /^\[(.+)\]/.exec(line)?.[1];
    if (header !== undefined) {
      if (sections.has(header) && header !== 'DEFAULT') {
        return failed('begins a section that was there already');
      }
      section = sections.get(header) ?? new Map();
      sections.set(header, section);
      lines = null;
      continue;
    }
    if (section === null) {
      return failed('stands before the first section');
    }
    const end = line.search(/[=:]/);
    const option = line.slice(0, Math.max(0, end)).trimEnd().toLowerCase();
    if (option === '') {
      return failed('is neither NAME = VALUE nor a section');
    }
    if (section.has(option)) {
      return failed('sets what this section has set already');
    }
    lines = [line.slice(end + 1).trimStart()];
    section.set(option, lines);
  }
  const common = sections.get('DEFAULT') ?? new Map<string, string[]>();
  sections.delete('DEFAULT');
  if (common.size * sections.size > mostDefaults) {
    return { ok: false, line: 1, fault: 'is of a file with too many defaults and sections' };
  }
  const joined = [...sections].map(([name, options]) => {
    const values = [...common, ...options].map(
      ([option, parts]) => [option, parts.join('\n').trimEnd()] as const,
    );
    return [name, new Map(values)] as const;
  });
  return { ok: true, sections: new Map(joined) };
}
