import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const unused = /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/;

/** Removes zod's code that writes JSON Schema from the page. Every schema refers to it, but the page never uses it. */
export function withoutJsonSchema(): Plugin {
  return {
    name: 'without-json-schema',
    apply: 'build',
    load(id) {
      if (!unused.test(id)) {
        return null;
      }
      const names = readFileSync(id, 'utf8').matchAll(/^export (?:const|function|class) (\w+)/gm);
      return [...names].map(([, name]) => `export const ${name} = () => undefined;`).join('\n');
    },
  };
}
