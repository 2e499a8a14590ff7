import type { historyEntrySchema } from '#contracts/api/history-schemas.js';
import type { Database } from '#db/client.js';
import type { PageRequest } from '#db/page.js';
import { GraphCheckpointRepository, type SavedCheckpoint } from '#db/repositories/graph-checkpoints.js';
import { NamedCheckpointRepository, type NamedCheckpoint } from '#db/repositories/named-checkpoints.js';
import type { Run } from '#db/repositories/runs.js';
import { versionOf, type ManuscriptStore } from '#storage/manuscript-store.js';
import { ObjectNotFoundError } from '#storage/object-store.js';
import type { z } from 'zod';
import { CONTROL_CHANNELS, nextNodes, valuesOf } from './saved-state.js';

export type HistoryEntry = z.infer<typeof historyEntrySchema>;

const SHOWN = ['temp_md_path', 'current_chapter'];

/** A page of the checkpoints of a run's graph, newest first (X5). */
export async function readHistory(
  db: Database,
  manuscripts: ManuscriptStore,
  { id: runId, tenantId }: Run,
  request: PageRequest,
): Promise<HistoryEntry[]> {
  const graph = new GraphCheckpointRepository(db);
  const page = await graph.page(tenantId, runId, request, [...SHOWN, ...CONTROL_CHANNELS]);
  const asked = await db.task.findMany({
    where: { tenantId, runId, name: 'human_input', checkpointId: { in: page.map(({ id }) => id) } },
    select: { id: true, checkpointId: true },
    orderBy: { id: 'asc' },
  });
  const named = await new NamedCheckpointRepository(db).ofRun(tenantId, runId);
  const describe = describer(manuscripts);
  return Promise.all(
    page.map(async (checkpoint) => ({
      ...entryOf(checkpoint, named),
      decisions: asked.filter(({ checkpointId }) => checkpointId === checkpoint.id).map(({ id }) => id),
      manuscript: await describe(valuesOf(checkpoint, SHOWN).temp_md_path),
    })),
  );
}

function entryOf(
  checkpoint: SavedCheckpoint,
  named: NamedCheckpoint[],
): Omit<HistoryEntry, 'decisions' | 'manuscript'> {
  const { source, step } = checkpoint.metadata as { source: HistoryEntry['source']; step: number };
  const chapter = valuesOf(checkpoint, SHOWN).current_chapter;
  const made = named.findLast(
    ({ afterCheckpointId }) => afterCheckpointId !== null && afterCheckpointId === checkpoint.parentId,
  );
  return {
    id: checkpoint.id,
    parent_id: checkpoint.parentId,
    at: checkpoint.createdAt.toISOString(),
    step,
    source,
    next: nextNodes(checkpoint),
    chapter: typeof chapter === 'number' ? chapter : null,
    label: made?.label ?? null,
    named_checkpoint_id: made?.id ?? null,
  };
}

/** Describes each version once; one whose objects are gone has no description. */
function describer(manuscripts: ManuscriptStore): (pointer: unknown) => Promise<HistoryEntry['manuscript']> {
  const known = new Map<string, Promise<HistoryEntry['manuscript']>>();
  const describe = async (pointer: string) => {
    try {
      const { lines, bytes } = await manuscripts.describe(pointer);
      return { version: versionOf(pointer), lines, bytes };
    } catch (error) {
      if (error instanceof ObjectNotFoundError) return null;
      throw error;
    }
  };
  return async (pointer) => {
    if (typeof pointer !== 'string') return null;
    const description = known.get(pointer) ?? describe(pointer);
    known.set(pointer, description);
    return description;
  };
}
