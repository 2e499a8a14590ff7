import { checkpointSchema, exportSchema } from '#contracts/api/schemas.js';
import { findRunKind } from '#contracts/registry.js';
import type { Export } from '#db/repositories/exports.js';
import type { NamedCheckpoint } from '#db/repositories/named-checkpoints.js';
import type { CurrentResult } from '#db/repositories/session-results.js';
import { view } from '../http/view.js';

export const checkpointView = (row: NamedCheckpoint) => view(checkpointSchema, row);

/** Returns a list with the view of a result; empty if this release does not know its kind or name. */
export function resultView({ kind, name, runId, updatedAt }: CurrentResult) {
  const definition = findRunKind(kind)?.results[name];
  if (!definition) return [];
  const { mediaType, fileName, description } = definition;
  const file = { media_type: mediaType, file_name: fileName, description };
  return [{ kind, name, run_id: runId, ...file, updated_at: updatedAt.toISOString() }];
}

export const exportView = (row: Export) => view(exportSchema, row);
