import type { RunProgress } from '#contracts/runs.js';
import type { KindFacts } from '#engine/kind.js';
import { z } from 'zod';
import { changeNodes } from './graph/routing.js';
import type { ChangeState } from './graph/state.js';

/** Graph version, recorded with each run. Increment it if a change affects parked runs. */
export const CHANGE_GRAPH_VERSION = '1';

const LABELS: Record<string, string> = {
  propose_change: 'change proposed',
  validate_change: 'changed manuscript validated',
  save_proposal: 'proposal saved',
  budget_decision: 'waiting for a budget',
  model_decision: 'waiting for a decision about the failed model',
};
const STEPS = 2;

function describe(graphState: Record<string, unknown>): RunProgress {
  const state = graphState as Partial<ChangeState>;
  const node = state.current_node ?? null;
  const isDone = state.status === 'completed';
  return {
    phase: node,
    label:
      state.status === 'running' ? (node && LABELS[node]) || 'proposing a change' : (state.status ?? null),
    done: isDone ? STEPS : Math.min(Object.keys(state.node_timings ?? {}).length, STEPS - 1),
    total: STEPS,
    details: {
      target: state.inputs?.target.kind ?? null,
      findings: state.findings?.length ?? 0,
      used_fallback: false,
    },
  };
}

/** Facts about changes that every process can use without building the graph. */
export const changeFacts: KindFacts = {
  kind: 'change',
  version: CHANGE_GRAPH_VERSION,
  nodes: changeNodes,
  continuation: {
    state: z.object({ session_id: z.string() }),
    isAside: true,
    carriedTasks: [],
    prose: ['inputs', 'replacement', 'note', 'findings', 'ledger'],
    companions: (key) => (/\/ledger\/[^/]+\.json$/.test(key) ? [key.replace(/\.json$/, '.html')] : []),
    needs: () => ({ inputs: [], assets: [], checkpointId: null, exportId: null }),
    shownKeys: [],
    shown: () => ({ chapter: null, manuscript: null }),
  },
  describe,
  results: (graphState) => ({ proposal: (graphState as Partial<ChangeState>).proposal_key ?? null }),
  answerResolvers: {},
};
