import { useMemo, useSyncExternalStore } from 'react';
import { queryClient } from './query-client';
import { RunFeed, type FeedState } from './run-feed';

export type { RunEvent } from './run-feed';

/** Feeds that the page may follow; the oldest are dropped first. */
const feeds = new Map<string, RunFeed>();
const KEPT_FEEDS = 8;

function feedOf(runId: string): RunFeed {
  const known = feeds.get(runId);
  if (known) return known;
  const feed = new RunFeed(runId, () => void queryClient.invalidateQueries());
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
