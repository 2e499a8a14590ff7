import { z } from 'zod';
import { runKinds, type productKinds } from './registry.js';

/** Events of runs of every kind. */
const coreEvents = {
  run_status: 'the status of the run changed',
  token: 'streamed text of the model, with the `node` and the `operation` that asked for it',
  node_complete: 'a step of the run is complete',
  hitl_pause: 'the run waits for a person',
  decision_required: 'a decision is open, with the schema of its answer',
  decision_answered: 'a decision was answered',
  decision_due: 'a decision is still open shortly before its `deadline`; sent once',
  state_updated: 'the public part of the state changed',
  child_run: 'a child run started, waits for a person or ended',
  fallback_used: 'rules replaced the model in a `stage` of the run, because a person chose it',
  proposals_decided:
    'proposals of the run were decided or opened again: `numbers` or `author`, or all; also after the end of the run',
  done: 'the run has ended',
};

type Kinds = typeof productKinds;
/** Names of a run's events. Each event has `seq`, `at`, `run_id` and `data`. */
export type RunEventType =
  keyof typeof coreEvents | { [K in keyof Kinds]: keyof Kinds[K]['events'] & string }[keyof Kinds];

/** All events by name, with a sentence for the API's reference. */
const runEvents: Record<string, string> = Object.assign(
  {},
  coreEvents,
  ...runKinds().map((kind) => kind.events),
);

export const runEventTypes = Object.keys(runEvents) as RunEventType[];
const runEventTypeSchema = z.enum(runEventTypes);

export const runEventSchema = z
  .object({
    seq: z.number().int().positive(),
    at: z.iso.datetime(),
    run_id: z.string(),
    type: runEventTypeSchema,
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'RunEvent' });
export type RunEvent = z.infer<typeof runEventSchema>;

/**
 * Event before it is appended. `effectKey` identifies the step that creates it, so that a repeated step adds
 * nothing (X4).
 */
export interface NewRunEvent {
  type: RunEventType;
  data: Record<string, unknown>;
  effectKey?: string;
}
