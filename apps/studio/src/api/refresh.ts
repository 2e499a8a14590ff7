import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Schemas } from './api-query';
import type { RunEvent } from './run-events';

const RESULTS = ['exports', 'results'];

/** Queries to refetch by event type; the events themselves contain too little to show. */
const STALE_AFTER: Record<string, readonly string[]> = {
  run_status: ['runs'],
  state_updated: ['runs'],
  proposals_decided: ['runs'],
  decision_required: ['runs', 'decisions'],
  decision_answered: ['runs', 'decisions'],
  validation_ran: ['runs', 'ledger'],
  checkpoint_saved: ['runs', 'manuscript', 'diff'],
  rollback_performed: ['manuscript', 'diff'],
  outline_saved: ['books', 'chapters'],
  chapter_reviewed: ['runs'],
  chapter_persisted: ['runs', 'books', 'chapters', 'chapter'],
  chapter_kept: ['chapters', 'chapter'],
  done: [...'runs decisions manuscript diff ledger books chapters chapter'.split(' '), ...RESULTS],
};

/** Names of queries that contain the session ID in their keys. */
const SESSION_QUERIES = new Set(['manuscript', 'ledger']);

/** Time in ms for which events are batched, because several often arrive together. */
const BATCH_MS = 200;

/** Time in ms after a step within which the service has stored the progress of the run. */
const PROGRESS_MS = 1_500;

/** Refetches the shown data of a run when its events arrive. */
export function useRefresh(
  run: Pick<Schemas['Run'], 'id' | 'session_id'>,
  events: readonly RunEvent[],
): void {
  const client = useQueryClient();
  const lastStep = events.findLast(({ type }) => type === 'node_complete')?.seq;
  useEffect(() => {
    if (lastStep === undefined) return undefined;
    const timer = window.setTimeout(() => void client.invalidateQueries({ queryKey: ['runs'] }), PROGRESS_MS);
    return () => window.clearTimeout(timer);
  }, [client, lastStep]);
  // A refetch may say that the run has ended, and so end what follows it, before its last event arrives.
  useEffect(
    () => () => RESULTS.forEach((key) => void client.invalidateQueries({ queryKey: [key] })),
    [client],
  );
  const followed = useRef({ run, events, read: 0, timer: 0 });
  useEffect(() => {
    const state = followed.current;
    if (state.run.id !== run.id) state.read = 0;
    Object.assign(state, { run, events });
    // The pending refetch covers these events too; restarting its timer would starve a busy run.
    if (state.timer !== 0 || state.read === events.length) return;
    state.timer = window.setTimeout(() => {
      const types = new Set(state.events.slice(state.read).map(({ type }) => type));
      state.timer = 0;
      state.read = state.events.length;
      const { id, session_id: session } = state.run;
      const stale = new Set([...types].flatMap((type) => STALE_AFTER[type] ?? []));
      for (const key of stale)
        void client.invalidateQueries({ queryKey: SESSION_QUERIES.has(key) ? [key, session] : [key] });
      // Every event of a plan changes what it shows, except for the model's words.
      types.delete('token');
      if (types.size > 0) void client.invalidateQueries({ queryKey: ['plans', id] });
    }, BATCH_MS);
  }, [client, run, events]);
}
