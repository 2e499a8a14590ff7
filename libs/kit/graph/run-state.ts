import type { Phrase } from '#contracts/phrases/render.js';
import { Annotation } from '@langchain/langgraph';

/** Channel without a default: the run's input sets it. */
export const last = <T>() => Annotation<T>();

/** Channel with a default, so that a new run need not write it: each written key is stored, and most are set late or never. */
export const kept = <T>(initial: () => T) => Annotation<T>({ reducer: (_, next) => next, default: initial });

/** Channels of every graph: its error and its progress. */
export const runChannels = () => ({
  current_node: kept<string | null>(() => null),
  last_error: kept<string | null>(() => null),
  error_type: kept<string | null>(() => null),
  /** Code and parameters of `last_error`. */
  error_phrase: kept<Phrase | null>(() => null),
  node_timings: kept<Record<string, number>>(() => ({})),
});
