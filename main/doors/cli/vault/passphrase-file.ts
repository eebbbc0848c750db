import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { Secret } from '../../../base/secret.ts';
import { BrokerError } from '../../../contract/broker-error.ts';
import { closeCommand } from '../../../domain/text/close-command.ts';
import type { AccessLists } from '../../../ports/access-lists.ts';

const passphraseLimitBytes = 4096;

/**
 * The first line of a file that only its owner can read. Throws BrokerError (reason usage) where it is missing,
 * empty, not a file, or readable by others. A pipe is taken at the start of a broker alone (`fileOrPipe`): a broker
 * that serves others can't wait for a writer.
 */
export async function readPassphraseFile(
  path: string,
  kinds: 'file' | 'fileOrPipe',
  access: AccessLists | null = null,
): Promise<Secret> {
  // Opening a pipe waits for its writer, in one of the few threads that all reading and writing goes through.
  const wait = kinds === 'fileOrPipe' ? 0 : (constants.O_NONBLOCK ?? 0);
  const file = await open(path, constants.O_RDONLY | wait).catch((cause: unknown) => {
    throw new BrokerError('passphraseFile.missing', `the passphrase file ${path} can't be read`, {
      reason: 'usage',
      cause,
    });
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile() && !(stats.isFIFO() && kinds === 'fileOrPipe')) {
      throw new BrokerError('passphraseFile.kind', `${path} is not a file`, { reason: 'usage' });
    }
    // Windows’ modes are made up.
    const isOpen = process.getuid ? (stats.mode & 0o077) !== 0 : access?.isOpen(path) === true;
    if (stats.isFile() && isOpen) {
      throw new BrokerError('passphraseFile.mode', `others can read the passphrase file ${path}`, {
        reason: 'usage',
        hint: closeCommand(path, 'file'),
      });
    }
    if (process.getuid && stats.uid !== process.getuid() && stats.uid !== 0) {
      throw new BrokerError('passphraseFile.owner', `the passphrase file ${path} belongs to another user`, {
        reason: 'usage',
        hint: `use one that you own, mode 600`,
      });
    }
    const buffer = Buffer.alloc(passphraseLimitBytes);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
    const line = buffer.subarray(0, bytesRead).toString('utf8').split(/\r?\n/, 1)[0] ?? '';
    buffer.fill(0);
    if (line === '') {
      throw new BrokerError('passphraseFile.empty', `the passphrase file ${path} is empty`, {
        reason: 'usage',
      });
    }
    return new Secret(line);
  } finally {
    await file.close();
  }
}
