import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';

const repository = join(import.meta.dirname, '..', '..', '..');
const folder = join(repository, '.cache', 'bench');

export const appEntry = join(repository, 'dist', 'app', 'main.js');

/**
 * Node's flags for the stand-in for Electron as one file of JavaScript: what Node needs to read TypeScript, 30 MiB of
 * memory and a third of the start among it, is none of the app's.
 */
export async function builtStandIn(): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  const standIn = join(folder, 'stand-in.mjs');
  await build({
    input: join(repository, 'test', 'support', 'electron', 'as-module.ts'),
    platform: 'node',
    output: { file: standIn, format: 'esm' },
    logLevel: 'silent',
  });
  const register = join(folder, 'register.mjs');
  const text = `import { registerHooks } from 'node:module';
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: ${JSON.stringify(pathToFileURL(standIn).href)}, shortCircuit: true } : next(specifier, context),
});
`;
  writeFileSync(register, text);
  return ['--no-warnings', '--import', pathToFileURL(register).href];
}
