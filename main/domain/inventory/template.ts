/** Why a template can’t be filled, in words that continue it; null: it can. */
export function templateFault(template: string, names: readonly string[]): string | null {
  const unknown = [...template.matchAll(variable)]
    .map(([, name = '']) => name)
    .find((name) => !names.includes(name));
  if (unknown !== undefined) {
    return `has {${unknown}}; there are ${names.map((name) => `{${name}}`).join(', ')}`;
  }
  return /[{}]/.test(template.replace(variable, '')) ? 'has a { or } that belongs to no variable' : null;
}

/** The template with `{variables}` in their place; an unknown one stays as it is. */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(variable, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : whole,
  );
}

const variable = /\{([A-Za-z]*)\}/g;
