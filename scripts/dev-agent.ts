import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { devHome, repository } from './dev-home.ts';

const usage = `Usage: npm run dev:agent [-- [--mine]]

Runs the broker from its source, and starts it again whenever a file of it changes. Its home is a throwaway,
.cache/dev-home, whose vault a passphrase beside it opens: remove the folder to begin anew.

  --mine   your own home in its place; end the broker that runs there first
  --help   this
`;

const { values: flags } = parseArgs({ options: { mine: { type: 'boolean' }, help: { type: 'boolean' } } });

/** Made once: the vault of the throwaway home opens again. */
function passphraseFile(): string {
  const file = join(devHome, 'passphrase');
  mkdirSync(devHome, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) {
    writeFileSync(file, `${randomBytes(16).toString('hex')}\n`, { mode: 0o600 });
  }
  return file;
}

function run(): void {
  const env = flags.mine ? process.env : { ...process.env, LANYARD_HOME: devHome };
  const words = flags.mine ? [] : ['--passphrase-file', passphraseFile()];
  if (!flags.mine) {
    console.error(`In another terminal: LANYARD_HOME=${devHome} dist/bin/lanyard status`);
  }
  // A file's change ends it by SIGTERM, and what it imports is watched: main, and nothing else.
  const node = ['--watch', '--watch-preserve-output', '--disable-warning=ExperimentalWarning'];
  const agent = spawn(process.execPath, [...node, join(repository, 'main', 'start', 'agent.ts'), ...words], {
    env,
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => agent.kill(signal));
  }
  agent.once('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}

if (flags.help) {
  process.stdout.write(usage);
} else {
  run();
}
