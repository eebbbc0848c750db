import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const unused = /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/;

/** Leaves out of the page what writes JSON Schema of zod's schemas: every schema holds on to it, and the page writes none. */
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
