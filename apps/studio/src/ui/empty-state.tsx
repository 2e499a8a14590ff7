import { Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Heading } from './card';

/** Explains what to do on an empty page. */
export function EmptyState({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="xs">
        <Heading>{title}</Heading>
        <Text c="dimmed" ta="center" maw={480}>
          {text}
        </Text>
        {children}
      </Stack>
    </Paper>
  );
}
