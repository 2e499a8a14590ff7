import type { ReactNode } from 'react';

/** A column of a list: its heading, and its cell for an item. */
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

/** Shows items as rows of a plain table; Mantine's would add its scrolling code to the first page. */
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
