import type { HTMLAttributes, Ref } from 'react';

type Role = 'grid' | 'treegrid' | 'rowgroup' | 'row' | 'columnheader' | 'rowheader' | 'gridcell';

export interface PartProps extends Omit<HTMLAttributes<HTMLDivElement>, 'role'> {
  part: Role;
  ref?: Ref<HTMLDivElement>;
}

/**
 * A part of a grid of which only the rows in sight are there: a `<table>` can't be that. The grid has the focus and the
 * keys, and says by `aria-activedescendant` which row is meant.
 */
export function GridPart({ part, ...rest }: PartProps) {
  return <div {...rest} role={part} />;
}
