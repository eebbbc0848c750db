import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = dirname(dirname(fileURLToPath(import.meta.url)));

/** The home of the throwaway broker that `npm run dev:agent` runs and `npm run dev -- --broker` asks. */
export const devHome = join(repository, '.cache', 'dev-home');
