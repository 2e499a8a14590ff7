import type { ReactNode } from 'react';

/** A column of a list: its heading, and what it says of an item. */
export interface Column<Item> {
  label: string;
  cell: (item: Item) => ReactNode;
  isNumber?: boolean;
}

interface ListTableProps<Item extends { id: string }> {
  items: readonly Item[];
  columns: readonly Column<Item>[];
  /** Pixels below which it scrolls sideways. */
  minWidth: number;
}

/** Items as rows; a plain table, since it is on the first page and Mantine's brings its own scrolling along. */
export function ListTable<Item extends { id: string }>({ items, columns, minWidth }: ListTableProps<Item>) {
  return (
    <div className="list-frame" tabIndex={0}>
      <table className="list-table" style={{ minWidth }}>
        <thead>
          <tr>
            {columns.map(({ label, isNumber }) => (
              <th key={label} scope="col" data-number={isNumber}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id}>
              {columns.map(({ label, cell, isNumber }) => (
                <td key={label} data-number={isNumber}>
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
