import { BrokerError } from '../../contract/broker-error.ts';
import type { MergedKubeconfig } from '../../domain/import/kubeconfig.ts';
import type { ImportSelection, PreparedImport } from '../../kubeconfig/import/prepare.ts';

/** Something to import from, and the contexts that were named. Throws `import.none`, `import.context`, `import.broken`. */
export function checkSource(merged: MergedKubeconfig, { contexts }: Pick<ImportSelection, 'contexts'>): void {
  const there = merged.files.filter(({ text }) => text !== null);
  if (there.length === 0) {
    checkWhole(merged);
    throw new BrokerError(
      'import.none',
      `there is no kubeconfig at ${merged.files.map(({ path }) => path).join(', ')}`,
      {
        reason: 'notFound',
        hint: 'name it: lanyard kubeconfig import FILE',
      },
    );
  }
  const unknown = contexts?.find((name) => !merged.contexts.has(name));
  if (unknown !== undefined) {
    throw new BrokerError('import.context', `no file has a context named ${JSON.stringify(unknown)}`, {
      reason: 'notFound',
      hint: 'kubectl config get-contexts shows what there is',
    });
  }
}

export function hasErrors({ problems }: Pick<MergedKubeconfig, 'problems'>): boolean {
  return problems.some(({ severity }) => severity === 'error');
}

/** kubectl reads none of the files where one is broken: the result of a merge with it is unknown. */
export function checkWhole(merged: Pick<MergedKubeconfig, 'problems'>): void {
  const broken = brokenError(merged);
  if (broken) {
    throw broken;
  }
}

/** The same as an error; null: all of them are good. */
export function brokenError({ problems }: Pick<MergedKubeconfig, 'problems'>): BrokerError | null {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (!first) {
    return null;
  }
  const place = first.line === null ? first.file : `${first.file}:${first.line}:${first.column ?? 1}`;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return new BrokerError('import.broken', `${place}: ${first.message}${more}`, {
    reason: 'usage',
    hint: 'correct it, or name the good files: lanyard kubeconfig import FILE …',
  });
}

/** There is something to write. */
export function hasWork({ edits, files }: Pick<PreparedImport, 'edits' | 'files'>): boolean {
  return edits.length > 0 || files.length > 0;
}
