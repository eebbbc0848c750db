import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { buildGo, findGo } from '../support/go.ts';
import { makeHome, type TestHome } from '../support/home.ts';
import { mustBeGood } from '../support/stage.ts';

const go = findGo();
const why = go.ok ? (process.env['LANYARD_REAL'] === '1' ? null : 'only with --long') : go.why;
if (why !== null) {
  process.stderr.write(`skipped: pulls by the kubelet’s own code: ${why}\n`);
}

/** The kubelet’s own code reads what `lanyard image config` prints, and runs the provider in the home’s `bin`. */
describe.skipIf(why !== null)('a kubelet', () => {
  let home: TestHome;
  let agent: TestAgent;
  let program: string;
  let config: string;

  beforeAll(async () => {
    const module = join(import.meta.dirname, '..', 'support', 'kubelet');
    program = await buildGo(go.ok ? go.path : '', 'pull', { module });
    home = makeHome();
    home.writeConfig({
      version: 1,
      accounts: { hub: { registry: { userName: 'robot' } }, cloud: { staticToken: {} } },
      registries: {
        hub: { matchImages: ['docker.io', '*.corp.example'], account: 'hub' },
        team: { matchImages: ['reg.corp.example/team/'], account: 'cloud', userName: 'oauth2' },
      },
    });
    agent = await startAgent({ home, passphrase: 'of a kubelet' });
    mustBeGood(await home.lanyard(['secret', 'set', 'hub'], { input: 'password' }));
    mustBeGood(await home.lanyard(['secret', 'set', 'cloud'], { input: 'token' }));
    const printed = await home.lanyard(['image', 'config']);
    mustBeGood(printed);
    config = join(home.outside, 'credential-provider.yaml');
    writeFileSync(config, printed.stdout);
  }, 700_000);
  afterAll(async () => {
    await agent?.dispose();
    home?.dispose();
  });

  async function pulls(...images: string[]): Promise<{ credentials: unknown; log: string }> {
    const child = spawn(program, [config, join(home.path, 'bin')], { env: home.env });
    const [out, log] = [text(child.stdout), text(child.stderr)];
    child.stdin.end(images.map((image) => `${image}\n`).join(''));
    await once(child, 'close');
    return {
      credentials: (await out)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).credentials),
      log: await log,
    };
  }

  test('gets each image its credential, and none for an image of no registry', async () => {
    const { credentials, log } = await pulls(
      'docker.io/library/nginx',
      'reg.corp.example/app',
      'reg.corp.example/team/app',
      'other.corp.example/team/app',
      'registry.k8s.io/pause',
    );
    expect(log).toBe('');
    expect(credentials).toEqual([
      [['robot', 'password']],
      [['robot', 'password']],
      [['oauth2', 'token']],
      [['robot', 'password']],
      [],
    ]);
  });

  test('gets none from a locked Lanyard, and logs why', async () => {
    mustBeGood(await home.lanyard(['lock']));
    const { credentials, log } = await pulls('docker.io/library/nginx');
    expect(credentials).toEqual([[]]);
    expect(log).toContain('locked');
  });
});
