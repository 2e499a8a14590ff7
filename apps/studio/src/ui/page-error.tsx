import { Container } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { ProblemAlert } from './problem-alert';

/**
 * Replaces a page that failed. Retrying reloads the whole page, because failed parts stay cached and an
 * update replaces all of them.
 */
export function PageError({ error }: ErrorComponentProps) {
  return (
    <Container size="sm" py="xl">
      <ProblemAlert error={error} onRetry={() => window.location.reload()} />
    </Container>
  );
}
