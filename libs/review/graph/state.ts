import { kept, last, runChannels } from '#kit/graph/run-state.js';
import { Annotation } from '@langchain/langgraph';
import type { ReviewInputs } from '../contract.js';

export const ReviewStateAnnotation = Annotation.Root({
  session_id: last<string>(),
  inputs: last<ReviewInputs>(),
  /** Set by read_review: number of proposals. */
  proposals: kept<number | null>(() => null),
  status: kept<'running' | 'completed' | 'failed'>(() => 'running'),
  ...runChannels(),
});
export type ReviewState = typeof ReviewStateAnnotation.State;
