import { observe } from '../../domain/text/finding.ts';
import type { UndoneEdit } from '../../domain/undone-edit.ts';
import type { Check, Group } from '../check.ts';

/** Checks whether other programs have undone edits of Lanyard’s. Says nothing where they have not. */
export function undoneCheck(
  what: UndoneEdit['what'],
  group: Group,
  undone: () => Promise<readonly UndoneEdit[]>,
): Check {
  return {
    group,
    name: what,
    subject: null,
    run: async () =>
      (await undone())
        .filter((each) => each.what === what)
        .map(({ file, text, command }) => ({
          ...observe(`${what}.undone`).warning(text, command),
          subject: file,
        })),
  };
}
