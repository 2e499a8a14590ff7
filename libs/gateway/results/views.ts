import { checkpointSchema, exportSchema } from '#contracts/api/schemas.js';
import { findRunKind } from '#catalogue/registry.js';
import type { Export, MadeOfText } from '#db/repositories/exports.js';
import type { NamedCheckpoint } from '#db/repositories/named-checkpoints.js';
import type { CurrentResult } from '#db/repositories/session-results.js';
import { view } from '../http/view.js';

export const checkpointView = (row: NamedCheckpoint) => view(checkpointSchema, row);

/** What the tasks of a session made of its manuscripts, and the version that is current; null without one. */
export interface MadeOfCurrent {
  current: string | null;
  made: MadeOfText[];
}

/** Returns whether something was made of the current manuscript; null if the task that made it is not known. */
function isCurrent({ current, made }: MadeOfCurrent, isIt: (one: MadeOfText) => boolean): boolean | null {
  const maker = made.findLast(isIt);
  return maker === undefined || current === null ? null : maker.manuscript === current;
}

/** Returns a list with the view of a result; empty if this release does not know its kind or name. */
export function resultView(
  { kind, name, runId, objectKey, updatedAt }: CurrentResult,
  of: MadeOfCurrent = UNKNOWN,
) {
  const definition = findRunKind(kind)?.results[name];
  if (!definition) return [];
  const { mediaType, fileName, description } = definition;
  const file = { media_type: mediaType, file_name: fileName, description };
  const measured = of.made.findLast(
    ({ manuscript, coverage }) => manuscript === objectKey && coverage !== null,
  );
  const state = {
    is_current: isCurrent(of, ({ ledger }) => ledger === objectKey),
    coverage: measured?.coverage ?? null,
  };
  return [{ kind, name, run_id: runId, ...file, ...state, updated_at: updatedAt.toISOString() }];
}

const UNKNOWN: MadeOfCurrent = { current: null, made: [] };

export const exportView = (row: Export, of: MadeOfCurrent = UNKNOWN) =>
  view(exportSchema, row, { is_current: isCurrent(of, ({ exportId }) => exportId === row.id) });
