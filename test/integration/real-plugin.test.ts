import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyNotLong } from '../support/long.ts';
import { pythonFolder } from '../support/python-folder.ts';
import { credentialIn, Stage } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

const requirements = join(import.meta.dirname, '../support/plugins/real/requirements.txt');

/**
 * `aws eks get-token`, as AWS ships it: it signs a request by itself and asks nobody. Which identity signed can be
 * read in the token: base64 of an address with the access key's id and the region.
 */
describe('aws eks get-token', unless(whyNotLong), () => {
  let stage: Stage;
  let why: string | null = null;

  beforeAll(async () => {
    const folder = await pythonFolder('aws', requirements).catch((error: unknown) => {
      why = `awscli is not to be had: ${error instanceof Error ? error.message.split('\n').at(-1) : ''}`;
      return null;
    });
    if (folder === null) {
      return;
    }
    stage = await Stage.open({
      extend: ({ accounts, clusters }) => {
        accounts['eks'] = {
          execPlugin: {
            apiVersion: 'client.authentication.k8s.io/v1beta1',
            command: 'aws',
            args: ['eks', 'get-token', '--cluster-name', 'prod'],
            env: [{ name: 'AWS_ACCESS_KEY_ID', value: 'AKIAOFCONFIG' }, { name: 'AWS_SECRET_ACCESS_KEY' }],
            searchPath: `${join(folder, 'bin')}:/usr/bin:/bin`,
          },
        };
        clusters['eks'] = { ...clusters['prod'], account: 'eks' };
      },
    });
    await stage.setSecrets();
    await stage.lanyard(['secret', 'set', 'eks/env.AWS_SECRET_ACCESS_KEY'], { input: 'not-a-real-key\n' });
  }, 600_000);
  afterAll(() => stage?.dispose());

  /** `client`: the same program that asks in the same words again may have been told 401, and the plugin would run again. */
  async function signer(env: Record<string, string>, client = ['--cluster', 'eks']): Promise<string> {
    const { token } = credentialIn(
      await stage.ask('eks', stage.execInfo(), { args: client, options: { env } }),
    );
    const address = Buffer.from((token ?? '').replace('k8s-aws-v1.', ''), 'base64url').toString('utf8');
    return new URL(address).searchParams.get('X-Amz-Credential') ?? '';
  }

  async function runs(): Promise<number> {
    const shown = await stage.lanyard(['plugin', 'show', 'eks', '--json']);
    return JSON.parse(shown.stdout).runs.length;
  }

  test('its answer is issued, shared, and another for another region of the caller’s (KEP-541/configuration, KEP-541/args-and-env, KEP-541/caching)', async (context) => {
    context.skip(why !== null, why ?? '');
    const day = new Date().toISOString().slice(0, 10).replaceAll('-', '');
    expect(await signer({ AWS_DEFAULT_REGION: 'eu-central-1' })).toBe(
      `AKIAOFCONFIG/${day}/eu-central-1/sts/aws4_request`,
    );
    expect(
      await signer({ AWS_DEFAULT_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'AKIAOFCALLER' }, [
        '--cluster=eks',
      ]),
    ).toContain('AKIAOFCONFIG');
    expect(await runs()).toBe(1);
    expect(await signer({ AWS_DEFAULT_REGION: 'us-east-1' })).toContain('us-east-1');
    expect(await runs()).toBe(2);
  });

  test('what it says when it fails reaches the caller (KEP-541/install-hint, KEP-541/prompts)', async (context) => {
    context.skip(why !== null, why ?? '');
    const failed = await stage.ask('eks', stage.execInfo(), {
      args: ['--cluster', 'eks'],
      options: { env: { AWS_PROFILE: 'nobodys' } },
    });
    expect(failed.code).toBe(16);
    expect(failed.stderr).toContain('The config profile (nobodys) could not be found');
    expect(failed.stderr).toContain('exec: executable aws failed with exit code 255');
  });
});
