import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './processes.ts';

/** A password store of `pass` in its own folder, under a key without a passphrase. */
export interface PassStore extends AsyncDisposable {
  /** What a program needs in its environment to use it. */
  readonly env: Readonly<Record<'GNUPGHOME' | 'PASSWORD_STORE_DIR', string>>;
}

/** Throws with what failed where `gpg` or `pass` is missing. */
export async function startPassStore(): Promise<PassStore> {
  // Short: gpg-agent’s socket is in it, and a socket’s path has at most 107 bytes.
  const folder = await mkdtemp(join(tmpdir(), 'pass-'));
  const env = { GNUPGHOME: folder, PASSWORD_STORE_DIR: join(folder, 'store') };
  const end = async () => {
    await run('gpgconf', ['--kill', 'gpg-agent'], { env });
    await rm(folder, { recursive: true, force: true });
  };
  const mustRun = async (program: string, ...args: string[]) => {
    const { code, stderr } = await run(program, args, { env });
    if (code !== 0) {
      throw new Error(`${program} failed: ${stderr}`);
    }
  };
  try {
    const key = ['--quick-generate-key', 'lanyard-test', 'default', 'default', 'never'];
    await mustRun('gpg', '--batch', '--passphrase', '', ...key);
    await mustRun('pass', 'init', 'lanyard-test');
  } catch (error) {
    await end();
    throw error;
  }
  return { env, [Symbol.asyncDispose]: end };
}
