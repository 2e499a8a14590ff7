import { runRemotely } from '#kit/graph/remote.js';
import { stepKey } from '#kit/graph/node.js';
import type { NewRunEvent } from '#catalogue/events.js';
import type { TaskName } from '#catalogue/tasks.js';
import type { AnyGraph, GraphDefinition, GraphState, HeldRun, RunEvents, RunOutcome } from '#engine/kind.js';
import { sessionKey } from '#storage/session-keys.js';
import type { ObjectStore } from '#storage/object-store.js';
import type { RunnableConfig } from '@langchain/core/runnables';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { tinyFacts, type TinyState } from './facts.js';

const State = Annotation.Root({
  session_id: Annotation<string>(),
  words: Annotation<string[]>({ reducer: (all, more) => [...all, ...more], default: () => [] }),
  words_path: Annotation<string | null>(),
});

const SHOUT = 'tiny_shout' as TaskName;

/** Returns the task of the node `child`: a run of the same kind. */
function childOf({ inputs }: HeldRun) {
  const {
    word,
    child_mode: mode = 'collect',
    child_tokens: tokens,
  } = inputs as {
    word: string;
    child_mode?: string;
    child_tokens?: number;
  };
  return {
    mode,
    inputs: { word: `${word}${word}` },
    budget: tokens === undefined ? {} : { max_tokens: tokens },
  };
}

/** Graph: take (local) → shout (worker) → choose (person) → finish (local). Mode `ask_child`: take → child (child run) → finish. */
export class TinyDefinition implements GraphDefinition {
  readonly version: string = tinyFacts.version;
  readonly describe = tinyFacts.describe;
  readonly results = tinyFacts.results;

  constructor(private readonly store: ObjectStore) {}

  build(run: HeldRun, events: RunEvents): Promise<AnyGraph> {
    const word = String(run.inputs['word']);
    const graph = new StateGraph(State)
      .addNode('take', (state: TinyState, config) => this.add(run, events, state, word, config))
      .addNode('shout', (state: TinyState, config) => {
        const outcome = runRemotely(SHOUT, { session_id: state.session_id, word } as never);
        const heard = outcome.ok
          ? String((outcome.output as { word: string }).word)
          : `!${outcome.error.code}`;
        return this.add(run, events, state, heard, config);
      })
      .addNode('choose', (state: TinyState, config) => {
        const outcome = runRemotely('human_input', {
          session_id: state.session_id,
          decision_type: 'tiny_choice',
          question: 'Which word?',
          details: { offers: [word, 'other', 'forbidden'] },
          deadline_seconds: 3_600,
          default_answer: { word: 'nobody' },
        });
        const chosen = outcome.ok ? String(outcome.output['word']) : 'nobody';
        return this.add(run, events, state, chosen, config);
      })
      .addNode('finish', (state: TinyState, config) => this.add(run, events, state, 'end', config))
      .addNode('child', (state: TinyState, config) => {
        const outcome = runRemotely('run', { kind: 'tiny', ...childOf(run) });
        const outcomeText = outcome.ok
          ? `${outcome.output.status}: ${String(outcome.output.result['words'])}`
          : `!${outcome.error.code}`;
        return this.add(run, events, state, outcomeText, config);
      })
      .addEdge(START, 'take')
      .addConditionalEdges('take', () => (run.mode === 'ask_child' ? 'child' : 'shout'), ['child', 'shout'])
      .addEdge('child', 'finish')
      .addEdge('shout', 'choose')
      .addEdge('choose', 'finish')
      .addEdge('finish', END);
    return Promise.resolve(graph as AnyGraph);
  }

  initialState({ sessionId }: HeldRun): Promise<GraphState> {
    return Promise.resolve({ session_id: sessionId, words: [], words_path: null });
  }

  outcome(state: GraphState): RunOutcome {
    const words = state['words'] as string[];
    if (words.includes('chosen other'))
      return { status: 'rejected', error: { code: 'tiny_rejected', message: 'The other word was chosen.' } };
    return { status: 'completed', result: { words } };
  }

  private async add(
    { tenantId, sessionId }: HeldRun,
    events: RunEvents,
    state: TinyState,
    word: string,
    config: RunnableConfig,
  ): Promise<Partial<TinyState>> {
    const effectKey = stepKey(config);
    const type = 'tiny_word' as NewRunEvent['type'];
    events.emit({ type, data: { word }, effectKey });
    events.emit({ type: 'node_complete', data: { node: word }, effectKey: `${effectKey}/node_complete` });
    const words_path = sessionKey(tenantId, sessionId, 'texts', `${effectKey.replace(/[^\w-]/g, '_')}.txt`);
    await this.store.put(words_path, Buffer.from([...state.words, word].join('\n')), {
      contentType: 'text/plain',
    });
    return { words: [word], words_path };
  }
}
