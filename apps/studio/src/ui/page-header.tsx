import { Group, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** Shows the page's only first-level heading, with its actions, and sets the window title. */
export function PageHeader({ title, children }: { title: string; children?: ReactNode }) {
  useDocumentTitle(`${title} · Scriptorium`);
  return (
    <Group justify="space-between" mb="lg" align="center">
      <Title order={1}>{title}</Title>
      {children && <Group gap="sm">{children}</Group>}
    </Group>
  );
}
