import { phrase } from '#contracts/phrases/phrase.js';
import { labelOf, type RunProgress } from '#contracts/runs.js';
import type { KindFacts } from '#engine/kind.js';
import { z } from 'zod';
import type { ReviewState } from './graph/state.js';

/** Graph version, recorded with each run. Increment it if a change affects parked runs. */
const REVIEW_GRAPH_VERSION = '1';

function describe(graphState: Record<string, unknown>): RunProgress {
  const { status, proposals = null } = graphState as Partial<ReviewState>;
  const isDone = status === 'completed';
  const label = !status || status === 'running' ? 'review.read_review' : status;
  return {
    phase: 'read_review',
    ...labelOf(phrase(`progress.${label}`)),
    done: isDone ? 1 : 0,
    total: 1,
    details: { proposals },
  };
}

/** Facts about reviews that every process can use without building the graph. */
export const reviewFacts: KindFacts = {
  kind: 'review',
  version: REVIEW_GRAPH_VERSION,
  nodes: ['read_review'],
  continuation: {
    state: z.object({ session_id: z.string() }),
    isAside: true,
    carriedTasks: [],
    prose: [],
    companions: () => [],
    needs: () => ({ inputs: [], assets: [], checkpointId: null, exportId: null }),
    shownKeys: [],
    shown: () => ({ chapter: null, manuscript: null }),
  },
  describe,
  results: () => ({}),
  answerResolvers: {},
};
