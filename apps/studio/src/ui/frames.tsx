import { Group, Paper, Stack, Text, Title, type TextProps } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** Heading of a part of a page. */
export const Heading = (props: { children: ReactNode }) => <Title order={2} size="h4" {...props} />;

interface CardProps {
  /** Heading; if it is no text, the card needs a label. */
  title?: ReactNode;
  label?: string | undefined;
  /** Buttons and links next to the heading. */
  actions?: ReactNode;
  component?: 'section' | 'article';
  children: ReactNode;
}

/** A framed part of a page under its own heading. */
export function Card({ title, label, actions, component = 'section', children }: CardProps) {
  const isText = typeof title === 'string';
  return (
    <Paper withBorder p="md" component={component} aria-label={label ?? (isText ? title : undefined)}>
      <Stack gap="sm">
        {title !== undefined && (
          <Group justify="space-between">
            {isText ? <Heading>{title}</Heading> : title}
            {actions}
          </Group>
        )}
        {children}
      </Stack>
    </Paper>
  );
}

interface SectionProps {
  title: string;
  order?: 2 | 3;
  children: ReactNode;
}

/** A part of a page under its own heading. */
export function Section({ title, order = 2, children }: SectionProps) {
  return (
    <section aria-label={title}>
      <Title order={order} size={order === 2 ? 'h4' : 'h5'} mb="xs" children={title} />
      {children}
    </section>
  );
}

/** Small text that explains or adds details. */
export const Hint = (props: TextProps & { role?: 'status'; children: ReactNode }) => (
  <Text size="sm" c="dimmed" {...props} />
);

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
