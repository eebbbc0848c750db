import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createFileOperations } from './file-operations.ts';
import { decodeFile } from './format.ts';
import { VaultFiles } from './vault-files.ts';

/** A home's vault files: the vault, its previous generation, and those that were set aside. */
export interface VaultsOfHome {
  /** Absolute. */
  files: readonly string[];
  /** Ids of the vaults with a keychain slot. A file that can’t be read names none. */
  keychainIds: readonly string[];
}

const vaultName = /^vault(\..+)?$/;

/** Changes nothing, needs no key. Throws Node’s error where the home can’t be read. */
export async function listVaults(home: string): Promise<VaultsOfHome> {
  const names = (await readdir(home)).filter((name) => vaultName.test(name)).sort();
  const reader = new VaultFiles(home, createFileOperations());
  const files: string[] = [];
  const ids = new Set<string>();
  for (const name of names) {
    const path = join(home, name);
    const found = await reader.read(path);
    const parts = found.kind === 'bytes' ? decodeFile(found.bytes) : null;
    if (parts?.kind === 'parts' && parts.header.slots.some(({ kind }) => kind === 'keychain')) {
      ids.add(parts.header.id);
    }
    files.push(path);
  }
  return { files, keychainIds: [...ids] };
}
