import { createHash, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { Secret } from '../../base/secret.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import type { Backup } from '../../ports/vault.ts';
import { kubeconfigLimitBytes } from '../read/kubeconfig-file.ts';

/** What is kept of a file before `written` takes the place of `text` (rule: reversible-edits). */
export async function makeBackup(
  file: { path: string; text: string; mode: number },
  written: string,
  at: number,
): Promise<Backup> {
  const packed = await promisify(gzip)(Buffer.from(file.text, 'utf8'), { level: 1 });
  return {
    id: randomUUID(),
    file: file.path,
    at,
    mode: file.mode,
    content: new Secret(packed.toString('base64')),
    writtenDigest: digestOf(written),
  };
}

/** The file's text as it was. Throws BrokerError `kubeconfig.backup` where it can't be unpacked. */
export async function textOf(backup: Backup): Promise<string> {
  try {
    const packed = Buffer.from(backup.content.reveal(), 'base64');
    const text = await promisify(gunzip)(packed, { maxOutputLength: kubeconfigLimitBytes });
    return text.toString('utf8');
  } catch (cause) {
    throw new BrokerError('kubeconfig.backup', `the backup of ${backup.file} can’t be unpacked`, { cause });
  }
}

/** SHA-256 of a file's text, in hex. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
