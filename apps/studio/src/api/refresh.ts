import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Schemas } from './client';
import type { RunEvent } from './run-events';

/** What is read anew when an event of a type has come; the event itself says too little to be shown. */
const READ_ANEW: Record<string, readonly string[]> = {
  run_status: ['runs'],
  state_updated: ['runs'],
  decision_required: ['runs', 'decisions'],
  decision_answered: ['runs', 'decisions'],
  validation_ran: ['runs', 'ledger'],
  checkpoint_saved: ['runs', 'manuscript'],
  rollback_performed: ['manuscript'],
  outline_saved: ['books', 'chapters'],
  chapter_reviewed: ['runs'],
  chapter_persisted: ['runs', 'books', 'chapters', 'chapter'],
  done: ['runs', 'decisions', 'exports', 'manuscript', 'ledger', 'books', 'chapters', 'chapter', 'results'],
};

/** Read by session. */
const OF_SESSION = new Set(['manuscript', 'ledger']);

/** Events often come several at once. */
const GATHER_MS = 200;

/** Keeps what the pages show of a run as fresh as its events. */
export function useRefresh(run: Schemas['Run'], events: readonly RunEvent[]): void {
  const client = useQueryClient();
  const last = events.findLast(({ type }) => type in READ_ANEW)?.seq ?? 0;
  const { session_id: sessionId } = run;
  useEffect(() => {
    if (last === 0) return;
    const timer = setTimeout(() => {
      const keys = new Set(
        events.flatMap(({ type, seq }) => (seq > last - 20 ? (READ_ANEW[type] ?? []) : [])),
      );
      for (const key of keys)
        void client.invalidateQueries({ queryKey: OF_SESSION.has(key) ? [key, sessionId] : [key] });
    }, GATHER_MS);
    return () => clearTimeout(timer);
  }, [client, last, sessionId]);
}
