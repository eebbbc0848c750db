import type { ImportSource } from '../../../kubeconfig/import/prepare.ts';

/** The first file that is not what it was when the plan was made of it; null: all are. */
export function changedSince(shown: ImportSource, now: ImportSource): string | null {
  const texts = new Map(now.merged.files.map(({ path, text }) => [path, text]));
  const file = shown.merged.files.find(({ path, text }) => texts.get(path) !== text);
  if (file) {
    return file.path;
  }
  const authority = [...shown.authorityFiles].find(([path, read]) => {
    const other = now.authorityFiles.get(path);
    return JSON.stringify(read) !== JSON.stringify(other);
  });
  return authority?.[0] ?? null;
}
