const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** `12,345`. */
export function countText(value: number): string {
  return numbers.format(value);
}

/** How many there are of something, named in the singular: `1 step`, `2 registries`, `3 new users`. */
export function counted(count: number, one: string): string {
  return `${countText(count)} ${count === 1 ? one : plural(one)}`;
}

function plural(one: string): string {
  return /[^aeiou]y$/.test(one) ? `${one.slice(0, -1)}ies` : `${one}s`;
}
