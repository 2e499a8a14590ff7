import { Table } from '@mantine/core';
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

/** Items as rows. */
export function ListTable<Item extends { id: string }>({ items, columns, minWidth }: ListTableProps<Item>) {
  return (
    <Table.ScrollContainer minWidth={minWidth}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ label, isNumber }) => (
              <Table.Th key={label} ta={isNumber ? 'right' : undefined}>
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item) => (
            <Table.Tr key={item.id}>
              {columns.map(({ label, cell, isNumber }) => (
                <Table.Td key={label} ta={isNumber ? 'right' : undefined}>
                  {cell(item)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
