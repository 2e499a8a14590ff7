import type { Export } from '#db/repositories/exports.js';
import type { NamedCheckpoint } from '#db/repositories/named-checkpoints.js';

export const checkpointView = (row: NamedCheckpoint) => ({
  id: row.id,
  run_id: row.runId,
  label: row.label,
  validated: row.validated,
  created_at: row.createdAt.toISOString(),
});

export const exportView = (row: Export) => ({
  id: row.id,
  run_id: row.runId,
  name: row.name,
  format: row.format,
  size: row.size,
  sha256: row.sha256,
  created_at: row.createdAt.toISOString(),
});
