import type { ImportSource } from '../../../kubeconfig/import/prepare.ts';

/** The first file that has changed since the plan was made; null: none has. */
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
