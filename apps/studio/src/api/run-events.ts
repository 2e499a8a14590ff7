import { EventSourceParserStream } from 'eventsource-parser/stream';
import { useMemo, useSyncExternalStore } from 'react';
import { queryClient } from './query-client';

/** Feeds that the page may follow; the oldest are dropped first. */
const feeds = new Map<string, RunFeed>();
const KEPT_FEEDS = 8;

function feedOf(runId: string): RunFeed {
  const known = feeds.get(runId);
  if (known) return known;
  const feed = new RunFeed(runId);
  feeds.set(runId, feed);
  for (const old of feeds.keys()) if (feeds.size > KEPT_FEEDS) feeds.delete(old);
  return feed;
}

/**
 * Returns all events of a run and the state of its stream; components that follow the same run share one
 * stream.
 */
export function useRunEvents(runId: string): FeedState {
  const feed = useMemo(() => feedOf(runId), [runId]);
  return useSyncExternalStore(feed.subscribe, () => feed.state);
}

/** An event of a run, as the stream transports it. */
export interface RunEvent {
  seq: number;
  at: string;
  run_id: string;
  type: string;
  data: Record<string, unknown>;
}

type Connection = 'connecting' | 'open' | 'lost' | 'ended';

/** State of a run's stream; a new object after each change, so that it can be compared. */
interface FeedState {
  readonly events: readonly RunEvent[];
  readonly connection: Connection;
}

/** Delay before reconnecting a broken stream. */
const RECONNECT_MS = 1_000;
/** Silence after which a stream counts as dead: three heartbeat intervals of the service. */
const SILENCE_MS = 45_000;

/**
 * Event stream of one run, from its first event on. All components share it, because a browser opens only six
 * connections per host. A broken stream reconnects after the last event received, so that no event is lost or
 * repeated.
 */
class RunFeed {
  state: FeedState = { events: [], connection: 'connecting' };
  private readonly listeners = new Set<() => void>();
  private readonly pending: RunEvent[] = [];
  private abort: AbortController | null = null;
  private frame = 0;

  constructor(private readonly runId: string) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    if (this.abort === null) void this.follow((this.abort = new AbortController()).signal);
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0) return;
      this.abort?.abort();
      this.abort = null;
    };
  };

  private async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.state.connection !== 'ended') {
      const silent = new AbortController();
      let timer = 0;
      const heard = () => {
        window.clearTimeout(timer);
        timer = window.setTimeout(() => silent.abort(), SILENCE_MS);
      };
      heard();
      try {
        await this.read(AbortSignal.any([signal, silent.signal]), heard);
      } catch {
        // Reconnect after any error.
      } finally {
        window.clearTimeout(timer);
      }
      if (signal.aborted || this.hasEnded()) break;
      this.show('lost');
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
    }
  }

  private hasEnded(): boolean {
    return (this.pending.at(-1) ?? this.state.events.at(-1))?.type === 'done';
  }

  /** @param heard called for every sign of life */
  private async read(signal: AbortSignal, heard: () => void): Promise<void> {
    const last = (this.pending.at(-1) ?? this.state.events.at(-1))?.seq ?? 0;
    const response = await fetch(`/api/agents/runs/${this.runId}/events?after=${last}`, { signal });
    // Do not retry: the run was deleted, or the session has ended.
    if ([401, 403, 404].includes(response.status)) return this.show('ended');
    if (!response.ok || response.body === null) throw new Error(`HTTP ${response.status}`);
    // Other requests may have failed in the meantime.
    if (this.state.connection === 'lost') void queryClient.invalidateQueries();
    this.show('open');
    const messages = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream({ onComment: heard }))
      .getReader();
    for (;;) {
      const { done, value } = await messages.read();
      if (done) return;
      heard();
      if (value.id === undefined) continue;
      const event = JSON.parse(value.data) as RunEvent;
      this.pending.push(event);
      // Show all events once per frame: a run may have thousands.
      this.frame ||= requestAnimationFrame(() => this.show('open'));
      if (event.type !== 'done') continue;
      await messages.cancel();
      this.show('ended');
      return;
    }
  }

  private show(connection: Connection): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const fresh = this.pending.splice(0);
    const events = fresh.length === 0 ? this.state.events : [...this.state.events, ...fresh];
    this.state = { events, connection: this.state.connection === 'ended' ? 'ended' : connection };
    for (const listener of this.listeners) listener();
  }
}
