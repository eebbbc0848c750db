import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { readBoundedBytes } from '../../config/read-bounded.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import { goQuote } from '../../domain/decode/go-quote.ts';
import type { CredentialProvider } from '../../domain/image/credential-provider.ts';
import { type ConfigFile, readProviderConfig } from '../../domain/image/provider-config.ts';
import { visibleText } from '../../domain/text/visible-text.ts';

/** Of a folder. A kubelet reads all of them. */
const mostFiles = 64;
/** Of all files together: to parse them takes the thread a second at most. A provider has some 200 bytes. */
const mostBytes = 256 * 1024;

const extensions = ['.json', '.yaml', '.yml'];

/** Of the kubelet’s message, which quotes what the file says. */
const longestMessage = 2_000;

/**
 * The providers of a CredentialProviderConfig, or of a folder of them, read and validated as the kubelet does
 * (KEP-2133/configuration). Throws BrokerError (reason usage) in the kubelet’s words.
 */
export async function readProviders(path: string): Promise<readonly CredentialProvider[]> {
  const read = readProviderConfig(await readFiles(path));
  if (!read.ok) {
    throw unusable(read.message);
  }
  return read.providers;
}

async function readFiles(path: string): Promise<ConfigFile[]> {
  const files = await filesAt(path);
  if (files.length > mostFiles) {
    throw unusable(
      `directory ${goQuote(path)} has ${files.length} configuration files: at most ${mostFiles} are read`,
    );
  }
  const read: ConfigFile[] = [];
  let total = 0;
  for (const file of files) {
    const content = await readBoundedBytes(file, mostBytes);
    if (!content?.ok) {
      throw unusable(`unable to read file ${goQuote(file)}: ${content ? `it ${content.why}` : 'it is gone'}`);
    }
    total += content.bytes.byteLength;
    if (total > mostBytes) {
      throw unusable(`the files of ${goQuote(path)} have more than ${mostBytes} bytes together`);
    }
    read.push({ path: file, bytes: content.bytes });
  }
  return read;
}

async function filesAt(path: string): Promise<string[]> {
  let isFolder: boolean;
  try {
    isFolder = (await stat(path)).isDirectory();
  } catch (error) {
    throw unusable(`unable to access path ${goQuote(path)}: ${systemWords(error)}`);
  }
  if (!isFolder) {
    return [path];
  }
  let names: string[];
  try {
    const entries = await readdir(path, { withFileTypes: true });
    names = entries
      .filter((entry) => !entry.isDirectory() && extensions.includes(extname(entry.name)))
      .map(({ name }) => name);
  } catch (error) {
    throw unusable(`unable to read directory ${goQuote(path)}: ${systemWords(error)}`);
  }
  if (names.length === 0) {
    throw unusable(`no configuration files found in directory ${goQuote(path)}`);
  }
  return names.map((name) => join(path, name)).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** As Go says them. */
export function systemWords(error: unknown): string {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  const words: Readonly<Record<string, string>> = {
    ENOENT: 'no such file or directory',
    EACCES: 'permission denied',
    ENOTDIR: 'not a directory',
    ELOOP: 'too many levels of symbolic links',
  };
  return words[code] ?? code;
}

function unusable(message: string): BrokerError {
  return new BrokerError('registry.providerConfig', visibleText(message, longestMessage), {
    reason: 'usage',
    hint: 'nothing was imported; correct the file and try again',
  });
}
