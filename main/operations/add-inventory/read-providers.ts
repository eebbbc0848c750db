import { readBounded } from '../../config/read-bounded.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import type { FileProvider } from '../../domain/inventory/file-provider.ts';
import { readProviderFile } from '../../domain/inventory/provider-file.ts';
import { readProviderFlag } from '../../domain/inventory/provider-flag.ts';
import { visibleText } from '../../domain/text/visible-text.ts';

/** Of a message, which may quote what was given. */
const longestMessage = 2_000;

/**
 * The providers of a provider file (`--clusterprofile-provider-file`), then those of KEP-5339’s flag
 * (`--clusterprofile-creds-provider`). `file`: absolute; null: none. Throws BrokerError (reason usage) in the community
 * library’s words where one of them can’t be read.
 */
export async function readStatedProviders(
  file: string | null,
  flags: readonly string[],
): Promise<FileProvider[]> {
  const fromFlags = flags.map((flag) => {
    const read = readProviderFlag(flag);
    if (!read.ok) {
      throw unusable(`--clusterprofile-creds-provider: ${read.message}`);
    }
    return read.provider;
  });
  return [...(file === null ? [] : await providersOf(file)), ...fromFlags];
}

async function providersOf(file: string): Promise<readonly FileProvider[]> {
  const content = await readBounded(file);
  if (!content?.ok) {
    throw unusable(
      `failed to read access config file: ${content ? content.fault : `there is no file ${file}`}`,
    );
  }
  const read = readProviderFile(content.text);
  if (!read.ok) {
    throw unusable(`${file}: ${read.message}`);
  }
  return read.providers;
}

function unusable(message: string): BrokerError {
  return new BrokerError('inventory.providers', visibleText(message, longestMessage), {
    reason: 'usage',
    hint: 'nothing was added; correct it and try again',
  });
}
