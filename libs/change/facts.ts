import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { labelOf, type RunProgress } from '#contracts/runs.js';
import type { KindFacts } from '#engine/kind.js';
import { z } from 'zod';
import { changeNodes } from './graph/routing.js';
import type { ChangeState } from './graph/state.js';

/** Graph version, recorded with each run. Increment it if a change affects parked runs. */
const CHANGE_GRAPH_VERSION = '1';

const LABELS: Record<string, Phrase> = {
  propose_change: phrase('progress.change.propose_change'),
  validate_change: phrase('progress.change.validate_change'),
  save_proposal: phrase('progress.change.save_proposal'),
  budget_decision: phrase('progress.budget_decision'),
  model_decision: phrase('progress.model_decision'),
};
const STEPS = 2;

function stepOf(status: ChangeState['status'] | undefined, node: string | null): Phrase | null {
  if (status !== 'running') return status ? phrase(`progress.${status}`) : null;
  return (node !== null && LABELS[node]) || phrase('progress.change.proposing');
}

function describe(graphState: Record<string, unknown>): RunProgress {
  const state = graphState as Partial<ChangeState>;
  const node = state.current_node ?? null;
  const isDone = state.status === 'completed';
  return {
    phase: node,
    ...labelOf(stepOf(state.status, node)),
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
