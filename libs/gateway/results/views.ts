import { findRunKind } from '#contracts/registry.js';
import type { Export } from '#db/repositories/exports.js';
import type { NamedCheckpoint } from '#db/repositories/named-checkpoints.js';
import type { CurrentResult } from '#db/repositories/session-results.js';

export const checkpointView = (row: NamedCheckpoint) => ({
  id: row.id,
  run_id: row.runId,
  label: row.label,
  validated: row.validated,
  created_at: row.createdAt.toISOString(),
});

/** Returns a list with the view of a result; empty if this release does not know its kind or name. */
export function resultView({ kind, name, runId, updatedAt }: CurrentResult) {
  const definition = findRunKind(kind)?.results[name];
  if (!definition) return [];
  const { mediaType, fileName, description } = definition;
  const file = { media_type: mediaType, file_name: fileName, description };
  return [{ kind, name, run_id: runId, ...file, updated_at: updatedAt.toISOString() }];
}

export const exportView = (row: Export) => ({
  id: row.id,
  run_id: row.runId,
  name: row.name,
  format: row.format,
  size: row.size,
  sha256: row.sha256,
  created_at: row.createdAt.toISOString(),
});
