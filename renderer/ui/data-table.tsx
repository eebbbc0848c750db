import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './data-table.module.css';

export interface DataColumn {
  label: string;
  /** `end` for numbers. */
  align?: 'start' | 'end';
  mono?: boolean;
  /** Its texts are long: they break anywhere before the table gets wider than its place. */
  breaks?: boolean;
}

export interface DataTableProps {
  /** The table's caption. Visible only with `showCaption`, else for screen readers. */
  caption: string;
  columns: readonly DataColumn[];
  /** The first cell names its row. */
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
  showCaption?: boolean;
}

export function DataTable({ caption, columns, rows, showCaption = false }: DataTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={styles.scroll} aria-label={caption} tabIndex={0}>
      <table className={styles.table}>
        <caption className={showCaption ? styles.caption : 'unseen'}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col" className={cellClass(column)}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.label} scope="row" className={cellClass(column)}>
                    {cells[index]}
                  </th>
                ) : (
                  <td key={column.label} className={cellClass(column)}>
                    {cells[index]}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function cellClass({ align, mono, breaks }: DataColumn): string {
  return classes(align === 'end' && styles.end, mono && 'mono', breaks && styles.breaks);
}
