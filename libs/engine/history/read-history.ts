import type { historyEntrySchema, runStepSchema } from '#contracts/api/history-schemas.js';
import type { PageRequest } from '#db/page.js';
import { GraphCheckpointRepository, type SavedCheckpoint } from '#db/repositories/graph-checkpoints.js';
import { NamedCheckpointRepository, type NamedCheckpoint } from '#db/repositories/named-checkpoints.js';
import type { Run } from '#db/repositories/runs.js';
import { versionOf, type ManuscriptStore } from '#storage/manuscript-store.js';
import { ObjectNotFoundError } from '#storage/object-store.js';
import type { z } from 'zod';
import type { Engine } from '../engine.js';
import { CONTROL_CHANNELS, nextNodes, valuesOf } from './saved-state.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';

type RunStep = z.infer<typeof runStepSchema>;

/** Maximum characters of a value that are returned. */
const MAX_VALUE_CHARACTERS = 8_000;
/** Object key prefixes of tenants, which clients must not see. */
const PLACES = /tenants\/[^/"]+\//g;
/** Returns whether a channel belongs to LangGraph itself. */
const isControl = (channel: string) => channel.startsWith('branch:') || channel.startsWith('__');

/**
 * Returns the input and output of the step that saved a checkpoint.
 *
 * @throws ProblemError `not_found`
 */
export async function readStep(
  { db }: Engine,
  { tenantId, id: runId }: Run,
  checkpointId: string,
): Promise<RunStep> {
  const graph = new GraphCheckpointRepository(db);
  const after = await graph.find(tenantId, runId, checkpointId);
  if (!after)
    throw new ProblemError('not_found', phrase('not_found.checkpoint', { checkpoint: checkpointId }));
  const before = after.parentId === null ? null : await graph.find(tenantId, runId, after.parentId);
  const channels = channelsOf(after);
  const changed = channels.filter(
    (channel) => channelVersion(before, channel) !== channelVersion(after, channel),
  );
  return {
    checkpoint_id: after.id,
    nodes: before ? nextNodes(before).filter((node) => !isControl(node)) : [],
    input: before ? stateValues(before, channelsOf(before)) : [],
    output: stateValues(after, before ? changed : channels),
  };
}

const channelsOf = ({ head }: SavedCheckpoint) =>
  Object.keys(head.channel_versions)
    .filter((channel) => !isControl(channel))
    .sort();

const channelVersion = (checkpoint: SavedCheckpoint | null, channel: string) =>
  checkpoint?.head.channel_versions[channel];

function stateValues(checkpoint: SavedCheckpoint, channels: string[]): RunStep['input'] {
  return Object.entries(valuesOf(checkpoint, channels)).flatMap(([key, value]) => {
    if (value === undefined) return [];
    const json = JSON.stringify(value).replaceAll(PLACES, '');
    return [{ key, json: json.slice(0, MAX_VALUE_CHARACTERS), chars: json.length }];
  });
}

export type HistoryEntry = z.infer<typeof historyEntrySchema>;

/** Returns a page of a run's graph checkpoints, newest first (X5). */
export async function readHistory(
  { db, kinds }: Engine,
  manuscripts: ManuscriptStore,
  { id: runId, tenantId, kind }: Run,
  request: PageRequest,
): Promise<HistoryEntry[]> {
  const continuation = kinds.get(kind)?.continuation;
  const keys = [...(continuation?.shownKeys ?? [])];
  const shownOf = (checkpoint: SavedCheckpoint) =>
    continuation?.shown(valuesOf(checkpoint, keys)) ?? { chapter: null, manuscript: null };
  const graph = new GraphCheckpointRepository(db);
  const page = await graph.page(tenantId, runId, request, [...keys, ...CONTROL_CHANNELS]);
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
      chapter: shownOf(checkpoint).chapter,
      decisions: asked.filter(({ checkpointId }) => checkpointId === checkpoint.id).map(({ id }) => id),
      manuscript: await describe(shownOf(checkpoint).manuscript),
    })),
  );
}

function entryOf(
  checkpoint: SavedCheckpoint,
  named: NamedCheckpoint[],
): Omit<HistoryEntry, 'decisions' | 'manuscript' | 'chapter'> {
  const { source, step } = checkpoint.metadata as { source: HistoryEntry['source']; step: number };
  const made = named.findLast(
    ({ afterCheckpointId }) => afterCheckpointId !== null && afterCheckpointId === checkpoint.parentId,
  );
  return {
    checkpoint_id: checkpoint.id,
    parent_checkpoint_id: checkpoint.parentId,
    at: checkpoint.createdAt.toISOString(),
    step,
    source,
    next: nextNodes(checkpoint),
    label: made?.label ?? null,
    named_checkpoint_id: made?.id ?? null,
  };
}

/**
 * Returns a function that describes each manuscript version once; null if the version's objects are missing.
 */
function describer(
  manuscripts: ManuscriptStore,
): (pointer: string | null) => Promise<HistoryEntry['manuscript']> {
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
    if (pointer === null) return null;
    const description = known.get(pointer) ?? describe(pointer);
    known.set(pointer, description);
    return description;
  };
}
