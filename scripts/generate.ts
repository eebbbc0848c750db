/** Makes the files that are derived from the contract: `npm run generate`. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configJsonSchemaText } from '../main/config/json-schema.ts';
import { cliReference } from './cli-reference.ts';
import { configReference } from './config-reference.ts';
import { manPage } from './man-page.ts';

const file = fileURLToPath(new URL('../main/contract/config/config.schema.json', import.meta.url));
writeFileSync(file, configJsonSchemaText());
writeFileSync(new URL('../docs/lanyard.1', import.meta.url), manPage());
writeFileSync(new URL('../docs/guide/cli.md', import.meta.url), cliReference());
writeFileSync(new URL('../docs/guide/config-reference.md', import.meta.url), configReference());
const biome = fileURLToPath(new URL('../node_modules/.bin/biome', import.meta.url));
const { status } = spawnSync(biome, ['format', '--write', file], { stdio: 'inherit' });
process.exitCode = status ?? 1;
