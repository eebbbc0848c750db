import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAgent } from '../support/agent.ts';
import { linkDockerHelper } from '../support/docker-helper.ts';
import { builtHelper, makeHome } from '../support/home.ts';
import { startPassStore } from '../support/pass-store.ts';
import { run } from '../support/processes.ts';
import { startSecretService } from '../support/secret-service.ts';
import { mustBeGood } from '../support/stage.ts';

/**
 * Real credential helpers behind Lanyard: Debian’s golang-docker-credential-helpers as the store that docker’s file
 * names, and amazon-ecr-credential-helper for a registry, without AWS.
 */
const searchPath = process.env['PATH'] ?? '';
const hub = 'https://index.docker.io/v1/';
const ecr = '123456789012.dkr.ecr.eu-central-1.amazonaws.com';

/** Skips with a printed line where one of them is not on PATH. */
const missingOf = async (programs: readonly string[]) => {
  const found = await Promise.all(programs.map((name) => run('sh', ['-c', 'command -v "$0"', name])));
  const missing = programs.filter((_, at) => found[at]?.code !== 0);
  if (missing.length > 0) {
    console.log(`real-stores: skipped, not installed: ${missing.join(', ')}`);
  }
  return missing.length > 0;
};

/** Lanyard with these accounts, and a person’s home with a config.json. */
async function begin(config: object, env: Record<string, string>) {
  const home = makeHome();
  home.writeConfig({ version: 1, ...config });
  const docker = linkDockerHelper(home);
  const person = join(home.outside, 'person');
  mkdirSync(join(person, '.docker'), { recursive: true });
  const agent = await startAgent({ home, passphrase: 'of real stores', env: { HOME: person, ...env } });
  const theirs = { ...home.env, HOME: person, PATH: `${docker.folder}:${searchPath}` };
  return {
    docker,
    file: join(person, '.docker', 'config.json'),
    lanyard: (...args: string[]) => run(builtHelper, args, { env: theirs }),
    person,
    async [Symbol.asyncDispose]() {
      await agent.dispose();
      home.dispose();
    },
  };
}

test.for([
  { helper: 'pass', programs: ['pass', 'gpg'], start: startPassStore },
  { helper: 'secretservice', programs: ['gnome-keyring-daemon', 'dbus-daemon'], start: startSecretService },
])(
  '$helper as docker’s store: its login is found, and never changed',
  async ({ helper, programs, start }, context) => {
    const program = `docker-credential-${helper}`;
    context.skip(await missingOf([program, ...programs]));
    await using store = await start();
    const variables = Object.entries<string>(store.env).filter(([name]) =>
      /^(GNUPGHOME|PASSWORD_)/.test(name),
    );
    const env = variables.map(([name, value]) => ({ name, value }));
    const account = { credentialHelper: { helper, searchPath, fallback: true, env } };
    await using lanyard = await begin({ accounts: { store: account } }, store.env);
    const { docker, file } = lanyard;
    const other = (action: string, input: string) =>
      run(program, [action], { env: { ...store.env, PATH: searchPath }, input });
    mustBeGood(
      await other('store', JSON.stringify({ ServerURL: hub, Username: 'hub', Secret: 'their-canary' })),
    );

    const before = JSON.stringify({ credsStore: helper });
    writeFileSync(file, before);
    mustBeGood(await lanyard.lanyard('docker', 'install'));
    expect(readFileSync(file, 'utf8')).toBe('{"credsStore":"lanyard"}');
    expect(await docker.get(hub)).toBe('hub:their-canary');
    expect(await docker.get('docker.io')).toBe('hub:their-canary');
    expect(await docker.get('ghcr.io')).toBeNull();

    mustBeGood(await docker.store(hub, 'own', 'own-canary'));
    expect(await docker.get('docker.io')).toBe('own:own-canary');
    const erased = await docker.call('erase', hub);
    expect(erased.stdout).toContain(`but the store ${helper} has one`);
    expect(erased.stdout).toContain(`echo '${hub}' | ${program} erase`);
    expect(await docker.get('docker.io')).toBe('hub:their-canary');
    mustBeGood(await other('erase', hub));
    expect(await docker.get('docker.io')).toBeNull();

    mustBeGood(await lanyard.lanyard('docker', 'undo'));
    expect(readFileSync(file, 'utf8')).toBe(before);
  },
);

test('ecr-login without AWS: what it says comes through', async (context) => {
  const program = 'docker-credential-ecr-login';
  context.skip(await missingOf([program]));
  const variables = [{ name: 'AWS_EC2_METADATA_DISABLED', value: 'true' }];
  await using lanyard = await begin(
    {
      accounts: { 'ecr-login': { credentialHelper: { helper: 'ecr-login', searchPath, env: variables } } },
      registries: { ecr: { matchImages: [ecr], account: 'ecr-login' } },
    },
    {},
  );
  const env = { HOME: lanyard.person, AWS_EC2_METADATA_DISABLED: 'true' };
  const theirs = await run(program, ['get'], { env, input: ecr });
  expect(theirs.code).toBe(1);
  const ours = await lanyard.docker.call('get', ecr);
  expect(ours).toMatchObject({ code: 1, stderr: '' });
  expect(ours.stdout).toContain(theirs.stdout.trim());
});
