import type { Refusal } from '../contract/refusal.ts';
import type { VaultContent } from '../ports/vault.ts';
import { type OpenedGeneration, sealGeneration } from './generation.ts';
import type { SlotPlan } from './slot-changes.ts';
import type { VaultFiles, Written } from './vault-files.ts';

/**
 * Writes `content` as the next generation, by `put`; `again` seals it once more, for a second file. Throws BrokerError
 * where it could not be written, and memory is as the disk then.
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
    opened.header = header;
    opened.content = sealed.content;
  }
  if (!written.ok) {
    throw written.error;
  }
}

/**
 * Writes other ways in to both generations, so that none that went opens either. Tells what was not written, if
 * anything; memory is as the disk then.
 */
export async function writeSlots(
  files: Pick<VaultFiles, 'replaceBoth'>,
  opened: OpenedGeneration,
  plan: SlotPlan,
): Promise<Refusal | null> {
  const before = opened.dataKey;
  const header = { ...opened.header, generation: opened.header.generation + 1, slots: plan.slots };
  // What could be read back before can be now: this doesn't throw.
  const { content } = opened;
  const sealed = sealGeneration(header, plan.dataKey, content, content);
  const again = sealGeneration(header, plan.dataKey, content, content).file;
  const written = await files.replaceBoth(sealed.file, again);
  const isApplied = written.ok || written.isApplied;
  if (isApplied) {
    opened.header = header;
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
