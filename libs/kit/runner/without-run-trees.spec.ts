import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { Annotation, Command, END, interrupt, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { buildNoRunTrees } from './without-run-trees.js';

const State = Annotation.Root({
  seen: Annotation<unknown[]>({ reducer: (all, more) => [...all, ...more], default: () => [] }),
});

/** Runs a graph with a pause; returns what its nodes see as their context, and the thread that they belong to. */
async function contextsOf(thread_id: string) {
  const context = () => {
    const provider = AsyncLocalStorageProviderSingleton;
    const store = provider.getInstance().getStore() as object;
    return {
      isRunTree: 'postRun' in store,
      thread: provider.getRunnableConfig()?.configurable?.['thread_id'] as unknown,
    };
  };
  const graph = new StateGraph(State)
    .addNode('before', () => ({ seen: [context()] }))
    .addNode('ask', () => ({ seen: [interrupt('?'), context()] }))
    .addEdge(START, 'before')
    .addEdge('before', 'ask')
    .addEdge('ask', END)
    .compile({ checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id } };
  await graph.invoke({}, config);
  const { seen } = await graph.invoke(new Command({ resume: 'yes' }), config);
  return seen;
}

it('nodes receive their configuration, and answers of people, without a run tree', async () => {
  const usual = { isRunTree: true, thread: 'a' };
  expect(await contextsOf('a')).toEqual([usual, 'yes', usual]);
  buildNoRunTrees();
  const without = { isRunTree: false, thread: 'b' };
  expect(await contextsOf('b')).toEqual([without, 'yes', without]);
});
