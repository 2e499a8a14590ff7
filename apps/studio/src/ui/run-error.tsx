import { Alert } from '@mantine/core';
import type { Run } from '../api/runs';

/** Why a run failed; nothing when it did not. */
export function RunError({ error }: { error: Run['error'] }) {
  if (error === null) return null;
  return (
    <Alert color="red" title={error.code}>
      {error.message}
    </Alert>
  );
}
