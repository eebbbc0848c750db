/** A template with every `{{name}}` in it filled. Throws where it names what isn't given. */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  const filled = template.replaceAll(/\{\{\s*([^{}]*?)\s*\}\}/g, (_whole, name: string) => {
    const value = values[name];
    if (value === undefined) {
      throw new Error(`nothing is given for {{${name}}}`);
    }
    return value;
  });
  if (/\{\{|\}\}/.test(filled)) {
    throw new Error('braces are left over');
  }
  return filled;
}
