import { Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** Explains what to do on an empty page. */
export function EmptyState({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        <Text c="dimmed" ta="center" maw={480}>
          {text}
        </Text>
        {children}
      </Stack>
    </Paper>
  );
}
