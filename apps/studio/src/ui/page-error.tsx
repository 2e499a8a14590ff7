import { Container } from '@mantine/core';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { ProblemAlert } from './problem-alert';

/** In place of a page that could not be shown. It is loaded anew as a whole: a part that failed is kept, and an update replaces all of them. */
export function PageError({ error }: ErrorComponentProps) {
  return (
    <Container size="sm" py="xl">
      <ProblemAlert error={error} onRetry={() => window.location.reload()} />
    </Container>
  );
}
