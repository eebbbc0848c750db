import type { HTMLAttributes, Ref } from 'react';

type Role = 'grid' | 'treegrid' | 'rowgroup' | 'row' | 'columnheader' | 'rowheader' | 'gridcell';

export interface PartProps extends Omit<HTMLAttributes<HTMLDivElement>, 'role'> {
  part: Role;
  ref?: Ref<HTMLDivElement>;
}

/**
 * A part of a grid that renders only the visible rows, which a `<table>` can't. The grid has the focus and handles
 * the keys. `aria-activedescendant` names the selected row.
 */
export function GridPart({ part, ...rest }: PartProps) {
  return <div {...rest} role={part} />;
}
