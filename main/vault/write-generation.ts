import type { Refusal } from '../contract/refusal.ts';
import type { VaultContent } from '../ports/vault.ts';
import { type OpenedGeneration, sealGeneration } from './generation.ts';
import type { SlotPlan } from './slot-changes.ts';
import type { VaultFiles, Written } from './vault-files.ts';

/**
 * Writes `content` as the next generation, by `put`; its `again` seals the content a second time, for a second file.
 * Throws BrokerError where the write failed. Memory is always as the disk.
 */
export async function writeGeneration(
  opened: OpenedGeneration,
  content: VaultContent,
  put: (file: Buffer, again: () => Buffer) => Promise<Written>,
): Promise<void> {
  const header = { ...opened.header, generation: opened.header.generation + 1 };
  const known = opened.content;
  const sealed = sealGeneration(header, opened.dataKey, content, known);
  const again = () => sealGeneration(header, opened.dataKey, content, known).file;
  const written = await put(sealed.file, again);
  if (written.ok || written.isApplied) {
    opened.header = sealed.header;
    opened.content = sealed.content;
  }
  if (!written.ok) {
    throw written.error;
  }
}

/**
 * Writes other unlock methods to both generations, so that a removed one opens neither. Returns the refusal where the
 * write failed. Memory is always as the disk.
 */
export async function writeSlots(
  files: Pick<VaultFiles, 'replaceBoth'>,
  opened: OpenedGeneration,
  plan: SlotPlan,
): Promise<Refusal | null> {
  const before = opened.dataKey;
  const header = { ...opened.header, generation: opened.header.generation + 1, slots: plan.slots };
  // This content was read back when it was sealed before: this doesn’t throw.
  const { content } = opened;
  const sealed = sealGeneration(header, plan.dataKey, content, content);
  const again = sealGeneration(header, plan.dataKey, content, content).file;
  const written = await files.replaceBoth(sealed.file, again);
  const isApplied = written.ok || written.isApplied;
  if (isApplied) {
    opened.header = sealed.header;
    opened.dataKey = plan.dataKey;
    opened.content = sealed.content;
    await plan.onWritten?.();
  } else {
    await plan.onFailed?.();
  }
  if (before !== plan.dataKey) {
    (isApplied ? before : plan.dataKey).fill(0);
  }
  return written.ok ? null : written.error.toRefusal();
}
