import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { agree } from '../support/agree.ts';
import { filesBelow, findCanaries } from '../support/canary.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { openPage, readAddress } from '../support/page-client.ts';
import { run } from '../support/processes.ts';
import { startOnTerminal } from '../support/pty.ts';

/** A kubelet’s CredentialProviderConfig becomes accounts and registries (KEP-2133/configuration, KEP-2133/plugin-folder). */
const group = 'credentialprovider.kubelet.k8s.io';
const secret = 'variable-canary-of-the-import-0123456789';

let home: TestHome;
let agent: TestAgent;
let bin: string;
let config: string;

function put(name: string, mode = 0o755): void {
  const answer = {
    kind: 'CredentialProviderResponse',
    apiVersion: `${group}/v1`,
    cacheKeyType: 'Image',
    cacheDuration: '0s',
    auth: { [`${name}.example.com`]: { username: 'robot', password: `password-of-${name}` } },
  };
  const path = join(bin, name);
  writeFileSync(
    path,
    `#!/bin/sh\ncat > /dev/null\nenv > ${path}.env\necho "$@" > ${path}.args\ncat <<'END'\n${JSON.stringify(answer)}\nEND\n`,
  );
  chmodSync(path, mode);
}

function provider(name: string, more: object = {}) {
  return {
    name,
    matchImages: [`${name}.example.com`],
    defaultCacheDuration: '12h',
    apiVersion: `${group}/v1`,
    ...more,
  };
}

const whole = (providers: readonly object[], more: object = {}) =>
  JSON.stringify({
    apiVersion: 'kubelet.config.k8s.io/v1',
    kind: 'CredentialProviderConfig',
    providers,
    ...more,
  });

beforeAll(async () => {
  home = makeHome();
  bin = join(home.outside, 'plugins');
  mkdirSync(bin);
  for (const name of ['ecr', 'acr']) {
    put(name);
  }
  symlinkSync(join(bin, 'ecr'), join(bin, 'inside'));
  const elsewhere = join(home.outside, 'elsewhere');
  writeFileSync(elsewhere, '#!/bin/sh\nexit 1\n');
  chmodSync(elsewhere, 0o755);
  symlinkSync(elsewhere, join(bin, 'out'));
  symlinkSync(builtHelper, join(home.outside, 'docker-credential-lanyard'));
  config = home.write(
    'providers.json',
    whole([
      provider('ecr', {
        args: ['get-credentials'],
        env: [
          { name: 'AWS_PROFILE', value: 'dev' },
          { name: 'ECR_TOKEN', value: secret },
        ],
      }),
      provider('acr', { matchImages: ['acr.example.com', '*.example.com', 'r?.io'] }),
      provider('gone'),
      provider('out'),
    ]),
  );
  agent = await startAgent({ home, passphrase: 'of the import' });
});
afterAll(async () => {
  await agent?.dispose();
  home?.dispose();
});

const importing = (...args: string[]) => home.lanyard(['registry', 'import', ...args]);
const docker = (server: string) =>
  run(join(home.outside, 'docker-credential-lanyard'), ['get'], { env: home.env, input: server });
const configText = () => {
  try {
    return readFileSync(home.file('config'), 'utf8');
  } catch {
    return '';
  }
};

describe('lanyard registry import', () => {
  test('without a terminal it imports nothing unless told, and what is new is then pending', async () => {
    const asked = await importing(config, '--bin-dir', bin);
    expect(asked).toMatchObject({ code: 10, stderr: expect.stringContaining('there is no terminal to ask') });
    expect(asked.stdout + asked.stderr).not.toContain(secret);
    expect(configText()).not.toContain('ecr');
    const told = await importing(config, '--bin-dir', bin, '--yes', '--json');
    expect(told.code, told.stderr).toBe(20);
    expect(JSON.parse(told.stdout)).toMatchObject({ pending: true });
    expect((await docker('ecr.example.com')).stdout).toMatch(/pending approval/);
    const undone = await home.lanyard(['registry', 'undo', config]);
    expect(undone.stdout).toContain('removed the registry ecr');
    expect(parse(configText())).not.toHaveProperty('accounts.ecr');
  });

  test('shows the plan, asks, approves; then docker gets what the plugin says, with its secret from the vault', async () => {
    const terminal = startOnTerminal(
      builtHelper,
      ['registry', 'import', 'providers.json', '--bin-dir', 'plugins'],
      {
        env: home.env,
        cwd: home.outside,
      },
    );
    const done = await agree(terminal);
    expect(done.code, done.shown).toBe(0);
    for (const shown of [
      /ecr +ecr\.example\.com +account ecr, registry ecr/,
      /gone +gone\.example\.com +skipped: plugin binary executable \S+\/gone did not exist/,
      /out +out\.example\.com +skipped: \S+ is a link out of the plugin folder, to \S+elsewhere/,
      /ecr: \S+\/plugins\/ecr get-credentials/,
      /plugins\/ecr, owner \S+, SHA-256 [0-9a-f]{64}/,
      /variables AWS_PROFILE=dev, ECR_TOKEN \(in the vault\)/,
      /ecr: its ECR_TOKEN is copied into the vault/,
      /acr: its pattern r\?\.io stays out: a pattern has no \?/,
      /overlap: a kubelet asks both plugins and tries each credential; Lanyard asks ecr alone/,
      /Import these 2 providers\? \[y\/N\]/,
      /To undo: lanyard registry undo /,
    ]) {
      expect(done.shown).toMatch(shown);
    }
    expect(parse(configText())).toMatchObject({
      accounts: {
        ecr: {
          credentialProvider: {
            command: join(bin, 'ecr'),
            env: [{ name: 'AWS_PROFILE', value: 'dev' }, { name: 'ECR_TOKEN' }],
            defaultCacheDuration: '12h',
          },
        },
      },
      registries: { acr: { matchImages: ['acr.example.com', '*.example.com'], account: 'acr' } },
    });
    expect(JSON.parse((await docker('ecr.example.com')).stdout)).toMatchObject({
      Username: 'robot',
      Secret: 'password-of-ecr',
    });
    expect(readFileSync(join(bin, 'ecr.args'), 'utf8')).toBe('get-credentials\n');
    expect(readFileSync(join(bin, 'ecr.env'), 'utf8')).toContain(`ECR_TOKEN=${secret}`);
    expect(readFileSync(join(bin, 'ecr.env'), 'utf8')).toContain('AWS_PROFILE=dev');
    const canaries = [{ name: 'variable', value: secret }];
    const texts = [{ where: 'the terminal', bytes: Buffer.from(done.shown) }, ...filesBelow(home.path)];
    expect(findCanaries(canaries, texts)).toEqual([]);
  });

  test('has nothing to do a second time, and undo removes what it made, secrets included', async () => {
    const again = await importing(config, '--bin-dir', bin);
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('Nothing new to import') });
    const undone = await home.lanyard(['registry', 'undo', config, '--json']);
    expect(JSON.parse(undone.stdout)).toEqual({
      registries: ['ecr', 'acr'],
      accounts: ['ecr', 'acr'],
      left: [],
    });
    const left = parse(configText());
    expect([Object.keys(left.accounts ?? {}), Object.keys(left.registries ?? {})]).toEqual([[], []]);
    // Secrets that were left would keep the name from being free.
    const plan = await importing(config, '--bin-dir', bin, '--dry-run', '--json');
    expect(JSON.parse(plan.stdout).providers[0].account.name).toBe('ecr');
    expect((await home.lanyard(['registry', 'undo', config])).stderr).toContain('Nothing of this');
  });

  test('reads a folder in the order of its names, and links within the plugin folder', async () => {
    const folder = join(home.outside, 'parts');
    mkdirSync(folder);
    writeFileSync(join(folder, '2.yaml'), whole([provider('acr')]));
    writeFileSync(join(folder, '1.yml'), whole([provider('inside')]).replaceAll('/v1', '/v1beta1'));
    writeFileSync(join(folder, 'notes.txt'), 'not read');
    const plan = await importing(folder, '--bin-dir', bin, '--dry-run', '--json');
    expect(plan.code, plan.stderr).toBe(0);
    const { providers } = JSON.parse(plan.stdout);
    expect(
      providers.map(({ provider: name, left }: { provider: string; left: null }) => [name, left]),
    ).toEqual([
      ['inside', null],
      ['acr', null],
    ]);
  });

  test('lists what is found, with the command that imports it', async () => {
    const folder = join(home.env['HOME'] ?? '', '.minikube/files/var/lib/kubelet');
    mkdirSync(join(folder, 'credential-provider'), { recursive: true });
    writeFileSync(join(folder, 'providers.yaml'), whole([provider('ecr')]));
    writeFileSync(join(folder, 'broken.yaml'), whole([provider('ecr')], { extra: 1 }));
    mkdirSync(join(home.env['HOME'] ?? '', '.docker'));
    const auth = Buffer.from('robot:docker-canary').toString('base64');
    writeFileSync(
      join(home.env['HOME'] ?? '', '.docker/config.json'),
      JSON.stringify({ auths: { 'ghcr.io': { auth }, 'quay.io': { auth } } }),
    );
    const found = await importing();
    expect(found.stdout).toContain(
      `${folder}/providers.yaml has 1 provider. To import: lanyard registry import ${folder}/providers.yaml --bin-dir ${folder}/credential-provider\n`,
    );
    expect(found.stdout).toMatch(/broken\.yaml can’t be used: .*unknown field "extra"/);
    expect(found.stdout).toMatch(
      /config\.json has 2 logins in plain text\. To move into the vault: lanyard docker install/,
    );
    expect(found.stdout).not.toContain(auth);
    expect(configText()).not.toContain('ghcr');
  });
});

describe('in a page', () => {
  async function openCalls() {
    const { host, ticket } = readAddress((await home.lanyard(['ui', '--no-open'])).stdout);
    const { page } = await openPage(host, ticket);
    let last = 0;
    return async (name: string, input: object): Promise<Record<string, unknown>> => {
      last += 1;
      page.send({ kind: 'call', id: last, name, input });
      for (;;) {
        const { kind, id, output, failure } = await page.next();
        if (id === last && kind !== 'progress') {
          expect(failure).toBeUndefined();
          return output as Record<string, unknown>;
        }
      }
    };
  }

  test('an undo removes what that import made, not what an earlier one did, and says what stays', async () => {
    const before = parse(configText());
    const call = await openCalls();
    const file = home.write('page.json', '');
    const importIt = async (...names: string[]) => {
      writeFileSync(file, whole(names.map((name) => provider(name))));
      const { id } = await call('providers.plan', { path: file, binFolder: bin });
      return call('providers.import', { id });
    };
    const first = await importIt('ecr');
    const second = await importIt('ecr', 'acr');
    expect(second).toMatchObject({ registries: ['acr'] });
    expect(await call('providers.undo', { undo: second['undo'] })).toEqual({
      registries: ['acr'],
      accounts: ['acr'],
      left: [],
    });
    const { accounts, registries } = parse(configText());
    expect([accounts, registries].map(Object.keys)).toEqual([
      [...Object.keys(before?.accounts ?? {}), 'ecr'],
      [...Object.keys(before?.registries ?? {}), 'ecr'],
    ]);
    const entry = { matchImages: ['ecr.example.com'], account: 'ecr' };
    const changed = { kind: 'registry', name: 'ecr', isNew: false, entry: { ...entry, approval: 'always' } };
    await call('entry.set', changed);
    expect(await call('providers.undo', { undo: first['undo'] })).toEqual({
      registries: [],
      accounts: [],
      left: [{ account: 'ecr', why: 'ecr uses it' }],
    });
    await call('entry.set', { ...changed, entry });
    expect((await home.lanyard(['registry', 'undo', file])).stdout).toContain('removed the registry ecr');
    expect(parse(configText())).toEqual(before);
  });
});

describe('bad input: an error in the kubelet’s words, and nothing written', () => {
  // What the kubelet says of each fault is in test/support/image-rules/rows.ts.
  const cases: [what: string, text: string | Buffer, words: RegExp][] = [
    [
      'an unknown field',
      whole([provider('ecr', { secret: 1 })]),
      /strict decoding error: unknown field "providers\[0\]\.secret"/,
    ],
    ['no text', Buffer.from([0, 1, 2, 255, 254]), /error decoding config/],
    ['10 MiB', Buffer.alloc(10 * 1024 * 1024, 'a'), /unable to read file .*larger than/],
    [
      'a bomb of anchors',
      `a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array.from({ length: 10 }, () => `*a${n}`).join(',')}]`).join('\n')}\n`,
      /excessive aliasing/,
    ],
  ];
  test.each(cases)('%s', async (_, text, words) => {
    const before = configText();
    const file = home.write('bad.yaml', text);
    const ended = await importing(file, '--bin-dir', bin, '--yes');
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(words);
    expect(ended.stdout).toBe('');
    expect(configText()).toBe(before);
  });

  test('a folder with 1,000 files, without any, and none at all', async () => {
    const many = join(home.outside, 'many');
    mkdirSync(many);
    for (let number = 0; number < 1000; number++) {
      writeFileSync(join(many, `${number}.yaml`), whole([provider(`p${number}`)]));
    }
    expect((await importing(many, '--bin-dir', bin)).stderr).toMatch(
      /has 1000 configuration files: at most 64/,
    );
    const large = join(home.outside, 'large');
    mkdirSync(large);
    for (const name of ['1.yaml', '2.yaml']) {
      writeFileSync(join(large, name), `${'#'.repeat(200_000)}\n`);
    }
    expect((await importing(large, '--bin-dir', bin)).stderr).toMatch(/have more than 262144 bytes together/);
    expect((await importing(bin, '--bin-dir', bin)).stderr).toMatch(
      /no configuration files found in directory/,
    );
    expect((await importing('/nowhere', '--bin-dir', bin)).stderr).toMatch(
      /unable to access path "\/nowhere": no such file or directory/,
    );
    expect((await importing(config, '--bin-dir', '/nowhere')).stderr).toMatch(
      /plugin binary directory \/nowhere did not exist/,
    );
    expect((await importing(config)).stderr).toMatch(/it needs --bin-dir/);
  });
});
