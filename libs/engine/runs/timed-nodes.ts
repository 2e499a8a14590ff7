import { processMetrics } from '#telemetry/metrics.js';
import type { RunEvents } from '../kind.js';

/** Forwards events and measures how long each node took, from one completed node to the next. */
export function timeNodes(events: RunEvents): RunEvents {
  let since = performance.now();
  return {
    token: (text, origin) => events.token(text, origin),
    emit(event) {
      events.emit(event);
      if (event.type !== 'node_complete') return;
      const now = performance.now();
      processMetrics.nodeSeconds.observe({ node: String(event.data['node']) }, (now - since) / 1000);
      since = now;
    },
  };
}
