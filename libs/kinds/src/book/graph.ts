import { announced, budgeted } from '#agent/node.js';
import { edgesByTable } from '#agent/routing.js';
import { START, StateGraph } from '@langchain/langgraph';
import { nextChapter, writeChapter } from './nodes/book.js';
import { draftNode, persistNode, planNode, retrieveContext, reviewNode } from './nodes/chapter.js';
import { budgetNode, exportNode } from './nodes/end.js';
import { assistNode } from './nodes/profile.js';
import { runRefineToc, runToc } from './nodes/outline.js';
import type { BookPorts } from './ports.js';
import { bookNodes, firstNode, routingTable, type BookNode } from './routing.js';
import { BookStateAnnotation, type BookNodeFunction, type BookState, type BookUpdate } from './state.js';

/** The node is told of with its chapter, and noted as the one the run is at; the decision about a budget goes back to who asked. */
function told(name: BookNode, ports: BookPorts, node: BookNodeFunction): BookNodeFunction {
  const marked: BookNodeFunction = async (state, config) => ({
    ...(await node(state, config)),
    ...(name === 'budget_decision' ? {} : { current_node: name }),
  });
  return announced(name, ports.emit, marked, ({ chapter_number: chapter }) => ({ chapter }));
}

/**
 * The graph of books (B4–B12), not yet compiled: one graph, routed by mode. `write_chapter`, `run_export` and `budget_decision` are remote;
 * the other nodes run in the agent-runner.
 */
export function buildBookGraph(ports: BookPorts) {
  const nodes: Record<BookNode, BookNodeFunction> = {
    run_toc: budgeted(runToc(ports)),
    run_refine_toc: budgeted(runRefineToc(ports)),
    next_chapter: nextChapter(ports),
    write_chapter: writeChapter(ports),
    chapter_retrieve_context: retrieveContext(ports),
    chapter_plan: budgeted(planNode(ports)),
    chapter_draft: budgeted(draftNode(ports)),
    chapter_review: budgeted(reviewNode(ports)),
    chapter_persist: persistNode(ports),
    run_export: exportNode(ports),
    assist_profile: assistNode(ports),
    budget_decision: budgetNode(ports),
  };
  const graph = new StateGraph(BookStateAnnotation);
  for (const name of bookNodes) graph.addNode(name, told(name, ports, nodes[name]));
  const wired = graph as StateGraph<
    typeof BookStateAnnotation.spec,
    BookState,
    BookUpdate,
    BookNode | typeof START
  >;
  wired.addConditionalEdges(START, (state: BookState) => firstNode(state), [
    'run_toc',
    'run_refine_toc',
    'next_chapter',
    'run_export',
    'assist_profile',
  ]);
  for (const { name, decide, targets } of edgesByTable(bookNodes, routingTable))
    wired.addConditionalEdges(name, decide, targets);
  return wired;
}
