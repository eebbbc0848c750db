/** A plain value as YAML in blocks. Every text is quoted: YAML 1.1, which client-go reads, takes names such as `on` or `1_0` for other things. */
export function printYaml(value: object): string {
  const lines: string[] = [];
  printEntries(value, '', '', lines);
  return `${lines.join('\n')}\n`;
}

/** `first` begins the first line, `indent` the others. */
function printEntries(value: object, first: string, indent: string, lines: string[]): void {
  let start = first;
  for (const [key, inner] of Object.entries(value)) {
    if (inner !== undefined) {
      printNamed(`${start}${keyText(key)}:`, inner, indent, lines);
      start = indent;
    }
  }
}

function printNamed(start: string, value: unknown, indent: string, lines: string[]): void {
  if (isFilled(value)) {
    lines.push(start);
    printBlock(value, `${indent}  `, lines);
  } else {
    lines.push(`${start} ${scalarText(value)}`);
  }
}

function printBlock(value: object, indent: string, lines: string[]): void {
  if (!Array.isArray(value)) {
    printEntries(value, indent, indent, lines);
    return;
  }
  for (const item of value) {
    if (isFilled(item) && !Array.isArray(item)) {
      printEntries(item, `${indent}- `, `${indent}  `, lines);
    } else {
      printNamed(`${indent}-`, item, indent, lines);
    }
  }
}

function isFilled(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && Object.values(value).some((each) => each !== undefined)
  );
}

function scalarText(value: unknown): string {
  if (typeof value === 'string') {
    return quoted(value);
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf';
  }
  return Array.isArray(value) ? '[]' : typeof value === 'object' && value !== null ? '{}' : String(value);
}

/** JSON's escapes are YAML's, too; these characters YAML 1.1 wants escaped besides. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function keyText(key: string): string {
  const isPlain = /^[A-Za-z_][\w./-]*$/.test(key) && !/^(y|n|yes|no|on|off|true|false|null)$/i.test(key);
  return isPlain ? key : quoted(key);
}
