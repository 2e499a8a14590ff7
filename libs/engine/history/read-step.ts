import type { runStepSchema } from '#contracts/api/history-schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { GraphCheckpointRepository, type SavedCheckpoint } from '#db/repositories/graph-checkpoints.js';
import type { Run } from '#db/repositories/runs.js';
import type { z } from 'zod';
import type { Engine } from '../engine.js';
import { nextNodes, valuesOf } from './saved-state.js';

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
  const changed = channels.filter((channel) => versionOf(before, channel) !== versionOf(after, channel));
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

const versionOf = (checkpoint: SavedCheckpoint | null, channel: string) =>
  checkpoint?.head.channel_versions[channel];

function stateValues(checkpoint: SavedCheckpoint, channels: string[]): RunStep['input'] {
  return Object.entries(valuesOf(checkpoint, channels)).flatMap(([key, value]) => {
    if (value === undefined) return [];
    const json = JSON.stringify(value).replaceAll(PLACES, '');
    return [{ key, json: json.slice(0, MAX_VALUE_CHARACTERS), chars: json.length }];
  });
}
