import type { Phrase } from '#contracts/phrases/render.js';
import { Annotation } from '@langchain/langgraph';
import type { ReviewInputs } from '../contract.js';

const last = <T>() => Annotation<T>();
const kept = <T>(initial: () => T) => Annotation<T>({ reducer: (_, next) => next, default: initial });

export const ReviewStateAnnotation = Annotation.Root({
  session_id: last<string>(),
  inputs: last<ReviewInputs>(),
  /** Set by read_review: number of proposals. */
  proposals: kept<number | null>(() => null),
  status: kept<'running' | 'completed' | 'failed'>(() => 'running'),
  last_error: kept<string | null>(() => null),
  error_type: kept<string | null>(() => null),
  error_phrase: kept<Phrase | null>(() => null),
  current_node: kept<string | null>(() => null),
  node_timings: kept<Record<string, number>>(() => ({})),
});
export type ReviewState = typeof ReviewStateAnnotation.State;
