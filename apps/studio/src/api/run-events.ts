import { useEffect, useRef, useState } from 'react';

/** An event of a run as the stream carries it. */
export interface RunEvent {
  seq: number;
  at: string;
  run_id: string;
  type: string;
  data: Record<string, unknown>;
}

export type Connection = 'connecting' | 'open' | 'lost' | 'ended';

/** How long to wait before a stream that broke off is opened again. */
const RECONNECT_MS = 1_000;

/**
 * Follows a run by server-sent events from its first one. A stream that breaks off is opened again behind the last event seen,
 * so nothing is missed or shown twice.
 */
export function useRunEvents(
  runId: string,
  types: readonly string[],
): { events: RunEvent[]; connection: Connection } {
  const [events, setEvents] = useState<RunEvent[]>([]);
  const [connection, setConnection] = useState<Connection>('connecting');
  const pending = useRef<RunEvent[]>([]);
  const wanted = types.join(' ');
  useEffect(() => {
    let last = 0;
    let source: EventSource | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let frame = 0;
    setEvents([]);
    // Many events in one frame are shown at once: a run may have thousands.
    const flush = () => {
      frame = 0;
      const batch = pending.current;
      pending.current = [];
      setEvents((known) => [...known, ...batch]);
    };
    const take = (message: MessageEvent<string>) => {
      const event = JSON.parse(message.data) as RunEvent;
      last = event.seq;
      pending.current.push(event);
      frame ||= requestAnimationFrame(flush);
      if (event.type !== 'done') return;
      source?.close();
      setConnection('ended');
    };
    const open = () => {
      source = new EventSource(`/api/agents/runs/${runId}/events?after=${last}`);
      source.onopen = () => setConnection('open');
      for (const type of wanted.split(' ')) source.addEventListener(type, take);
      source.onerror = () => {
        source?.close();
        setConnection('lost');
        timer = setTimeout(open, RECONNECT_MS);
      };
    };
    open();
    return () => {
      source?.close();
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      pending.current = [];
    };
  }, [runId, wanted]);
  return { events, connection };
}
