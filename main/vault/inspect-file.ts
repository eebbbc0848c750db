import type { SlotKind } from '../ports/vault.ts';
import { createFileOperations } from './file-operations.ts';
import { decodeFile } from './format.ts';
import { VaultFiles } from './vault-files.ts';

/** `ways`: the unlock methods. `reason`: why the file is no usable vault. */
export type VaultFileState =
  | { kind: 'missing' }
  | { kind: 'whole'; generation: number; ways: readonly SlotKind[] }
  | { kind: 'broken'; reason: string };

/** What a home’s vault shows without a key and without the home’s lock. Changes nothing; never throws. */
export async function inspectVaultFile(home: string): Promise<VaultFileState> {
  const files = new VaultFiles(home, createFileOperations());
  const found = await files.read(files.current);
  if (found.kind !== 'bytes') {
    return found.kind === 'missing' ? { kind: 'missing' } : { kind: 'broken', reason: found.reason };
  }
  const parts = decodeFile(found.bytes);
  if (parts.kind === 'broken') {
    return { kind: 'broken', reason: parts.reason };
  }
  const { generation, slots } = parts.header;
  return { kind: 'whole', generation, ways: slots.map((slot) => slot.kind) };
}
