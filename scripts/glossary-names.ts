/** What `seen in` of docs/GLOSSARY.md names: an identifier or a member in backticks, with the line of its row. */
export interface GlossaryName {
  name: string;
  line: number;
}

const seenIn = 3;

/** Identifiers, as `Grant` or `Bindings.approve()`. Commands and paths are left to those who check links. */
export function glossaryNames(text: string): GlossaryName[] {
  return text.split('\n').flatMap((row, index) => {
    const cell = row.startsWith('| **') ? row.split('|').at(seenIn + 1) : undefined;
    return [...(cell ?? '').matchAll(/`([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)?)(?:\(\))?`/g)].map(
      ([, name = '']) => ({ name, line: index + 1 }),
    );
  });
}

/** One line for each name of the glossary that is no word of the code. Of `Bindings.approve`, both words have to be. */
export function unknownNames(glossary: string, code: ReadonlySet<string>): string[] {
  return glossaryNames(glossary)
    .filter(({ name }) => !name.split('.').every((word) => code.has(word)))
    .map(({ name, line }) => `docs/GLOSSARY.md:${line}: the code has no ${name}`);
}
