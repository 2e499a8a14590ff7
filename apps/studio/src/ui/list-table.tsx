import type { CSSProperties, ReactNode } from 'react';

/** A column of a list: its heading, and its cell for an item. */
export interface Column<Item> {
  label: string;
  cell: (item: Item) => ReactNode;
  isNumber?: boolean;
}

interface ListTableProps<Item extends object> {
  /** Rows; those that may change places or have states have an `id`. */
  items: readonly Item[];
  columns: readonly Column<Item>[];
  /** Pixels below which it scrolls sideways, except on a telephone. */
  minWidth: number;
}

/**
 * Shows items as rows of a plain table; Mantine's would add its scrolling code to the first page. On a telephone,
 * each row is a block; the roles keep it a table for screen readers.
 */
export function ListTable<Item extends object>({ items, columns, minWidth }: ListTableProps<Item>) {
  return (
    <div className="list-frame" tabIndex={0}>
      <table role="table" className="list-table" style={{ '--list-width': `${minWidth}px` } as CSSProperties}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ label, isNumber }) => (
              <th key={label} role="columnheader" scope="col" data-number={isNumber}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {items.map((item, index) => (
            <tr key={'id' in item ? String(item.id) : index} role="row">
              {columns.map(({ label, cell, isNumber }) => (
                <td key={label} role="cell" data-number={isNumber} data-label={label}>
                  {cell(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
