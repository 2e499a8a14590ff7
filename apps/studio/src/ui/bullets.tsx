import { List, type ListProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface BulletsProps extends Omit<ListProps, 'children'> {
  items: readonly ReactNode[];
}

/** A list of texts that do not change their places. */
export const Bullets = ({ items, ...look }: BulletsProps) => (
  <List size="sm" {...look}>
    {items.map((item, index) => (
      <List.Item key={index}>{item}</List.Item>
    ))}
  </List>
);
