import type { Phrase } from '#contracts/phrases/phrase.js';
import { continueByRules } from '#kit/graph/ask-about-model.js';
import { decisionNodes } from '#kit/graph/decision-nodes.js';
import { budgeted, instrumentNode } from '#kit/graph/node.js';
import { graphByTable } from '#kit/graph/graph-by-table.js';
import { START } from '@langchain/langgraph';
import { nextChapter, writeChapter } from './nodes/book.js';
import { draftNode, persistNode, planNode, reviewNode } from './nodes/chapter.js';
import { retrieveContext } from './nodes/chapter-context.js';
import { exportNode } from './nodes/end.js';
import { assistNode } from './nodes/profile.js';
import { researchNode } from './nodes/research.js';
import { runRefineToc, runToc } from './nodes/outline.js';
import { ASSIST_STAGE } from '../profile/finalize.js';
import type { BookPorts } from './ports.js';
import { bookNodes, firstNode, routingTable, type BookNode } from './routing.js';
import { BookStateAnnotation, type BookNodeFunction, type BookState } from './state.js';

/** Operations on an author's free text, which no rules can do. */
const ONLY_BY_MODEL = ['refine_outline', ASSIST_STAGE];

const offeredRules = (operation: string): Phrase | null =>
  ONLY_BY_MODEL.includes(operation) ? null : continueByRules;

/**
 * Builds the uncompiled graph of books (B4–B12), routed by mode. `write_chapter`, `run_export`,
 * `budget_decision` and `model_decision` are remote; the other nodes run in the agent-runner.
 */
export function buildBookGraph(ports: BookPorts) {
  const nodes: Record<BookNode, BookNodeFunction> = {
    run_toc: budgeted(runToc(ports)),
    run_refine_toc: budgeted(runRefineToc(ports)),
    next_chapter: nextChapter(ports),
    write_chapter: writeChapter(ports),
    chapter_retrieve_context: retrieveContext(ports),
    chapter_research: budgeted(researchNode(ports)),
    chapter_plan: budgeted(planNode(ports)),
    chapter_draft: budgeted(draftNode(ports)),
    chapter_review: budgeted(reviewNode(ports)),
    chapter_persist: persistNode(ports),
    run_export: exportNode(ports),
    assist_profile: budgeted(assistNode(ports)),
    ...decisionNodes(ports, { stopped: 'failed', byRules: offeredRules }),
  };
  for (const name of bookNodes)
    nodes[name] = instrumentNode(name, ports.emit, nodes[name], ({ chapter_number: chapter }) => ({
      chapter,
    }));
  const graph = graphByTable(BookStateAnnotation, bookNodes, nodes, routingTable);
  graph.addConditionalEdges(START, (state: BookState) => firstNode(state), [
    'run_toc',
    'run_refine_toc',
    'next_chapter',
    'run_export',
    'assist_profile',
  ]);
  return graph;
}
