import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { RunEvent } from '../../api/run-events';

/** Reads a plan anew when its run has told something; events often come several at once. */
export function usePlanRefresh(runId: string, events: readonly RunEvent[]): void {
  const client = useQueryClient();
  const last = events.findLast(({ type }) => type !== 'token')?.seq ?? 0;
  useEffect(() => {
    if (last === 0) return;
    const timer = setTimeout(() => void client.invalidateQueries({ queryKey: ['plans', runId] }), 150);
    return () => clearTimeout(timer);
  }, [client, runId, last]);
}
