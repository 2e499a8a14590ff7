import { Container } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { ProblemAlert } from './problem-alert';

/** In place of a page that could not be shown. */
export function PageError({ error, reset }: ErrorComponentProps) {
  return (
    <Container size="sm" py="xl">
      <ProblemAlert error={error} onRetry={reset} />
    </Container>
  );
}
