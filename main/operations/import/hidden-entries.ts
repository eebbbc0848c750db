import { counted } from '../../contract/ui/count-text.ts';
import type { HiddenEntry } from '../../domain/import/kubeconfig.ts';
import { shownName } from '../../domain/text/shown-name.ts';

/**
 * The entries that an earlier file hides: a line each, with the place of both. Those behind Lanyard's own kubeconfig
 * (`managed`) are counted: its contexts stand in for the user's on purpose.
 */
export function hiddenLines(hidden: readonly HiddenEntry[], managed: string): string[] {
  const others = hidden.filter(({ by }) => by.file !== managed);
  const behind = hidden.length - others.length;
  return [
    ...others.map(({ what, origin, by, isSame }) => {
      const same = isSame ? ', which says the same' : '';
      return `${what} ${shownName(origin.name)} of ${origin.file}:${origin.line}: hidden by ${by.file}:${by.line}${same}`;
    }),
    ...(behind === 0 ? [] : [`${counted(behind, 'entry')} hidden by Lanyard’s own kubeconfig, ${managed}`]),
  ];
}
