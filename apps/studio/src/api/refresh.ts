import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Schemas } from './client';
import type { RunEvent } from './run-events';

/** Queries to refetch by event type; the events themselves contain too little to show. */
const READ_ANEW: Record<string, readonly string[]> = {
  run_status: ['runs'],
  state_updated: ['runs'],
  decision_required: ['runs', 'decisions'],
  decision_answered: ['runs', 'decisions'],
  validation_ran: ['runs', 'ledger'],
  checkpoint_saved: ['runs', 'manuscript', 'diff'],
  rollback_performed: ['manuscript', 'diff'],
  outline_saved: ['books', 'chapters'],
  chapter_reviewed: ['runs'],
  chapter_persisted: ['runs', 'books', 'chapters', 'chapter'],
  done: [
    'runs',
    'decisions',
    'exports',
    'manuscript',
    'diff',
    'ledger',
    'books',
    'chapters',
    'chapter',
    'results',
  ],
};

/** Names of queries that contain the session ID in their keys. */
const OF_SESSION = new Set(['manuscript', 'ledger']);

/** Time in ms for which events are batched, because several often arrive together. */
const GATHER_MS = 200;

/** Refetches the shown data of a run when its events arrive. */
export function useRefresh(
  run: Pick<Schemas['Run'], 'id' | 'session_id'>,
  events: readonly RunEvent[],
): void {
  useReadAnew(run.id, events, (type) =>
    (READ_ANEW[type] ?? []).map((key) => (OF_SESSION.has(key) ? [key, run.session_id] : [key])),
  );
}

/** Refetches a plan when events of its run arrive. */
export function usePlanRefresh(runId: string, events: readonly RunEvent[]): void {
  useReadAnew(runId, events, (type) => {
    if (type === 'token') return [];
    const plan = ['plans', runId];
    return type.startsWith('decision_') ? [plan, ['decisions', 'run', runId]] : [plan];
  });
}

/** @param keysOf returns the queries that an event type makes stale */
function useReadAnew(runId: string, events: readonly RunEvent[], keysOf: (type: string) => QueryKey[]): void {
  const client = useQueryClient();
  const followed = useRef({ runId, events, keysOf, read: 0, timer: 0 });
  useEffect(() => {
    const of = followed.current;
    if (of.runId !== runId) of.read = 0;
    Object.assign(of, { runId, events, keysOf });
    // The pending refetch covers these events too; restarting its timer would starve a busy run.
    if (of.timer !== 0 || of.read === events.length) return;
    of.timer = window.setTimeout(() => {
      const fresh = of.events.slice(of.read);
      of.timer = 0;
      of.read = of.events.length;
      const stale = new Map(
        fresh.flatMap(({ type }) => of.keysOf(type).map((key) => [key.join(' '), key] as const)),
      );
      for (const queryKey of stale.values()) void client.invalidateQueries({ queryKey });
    }, GATHER_MS);
  }, [client, runId, events, keysOf]);
}
