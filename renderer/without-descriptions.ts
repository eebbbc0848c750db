import type { Plugin } from 'vite';

/** `.describe('…')` of a literal text, as a formatter leaves it. */
const described = /\s*\.describe\(\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.)*`),?\s*\)/g;

/** Leaves out what the schemas of config.yaml say of each key: the reference is made of that, and no page shows it. */
export function withoutDescriptions(): Plugin {
  return {
    name: 'without-descriptions',
    enforce: 'pre',
    apply: 'build',
    transform: {
      filter: { id: /\/main\/contract\/config\// },
      handler: (code) => ({ code: code.replace(described, ''), map: null }),
    },
  };
}
