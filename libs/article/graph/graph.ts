import { phrase } from '#contracts/phrases/phrase.js';
import { askForBudget } from '#kit/graph/budget.js';
import { askAboutModel } from '#kit/graph/ask-about-model.js';
import { budgeted, instrumentNode } from '#kit/graph/node.js';
import { graphByTable } from '#kit/graph/graph-by-table.js';
import { START } from '@langchain/langgraph';
import { authorApprove, saveMetadata } from './nodes/approve.js';
import { authorDraft, authorStyle } from './nodes/draft.js';
import { checkDuplicates, confirmTopic, routeMode } from './nodes/begin.js';
import { approveResearch, writeReport } from './nodes/report.js';
import { authorResearch, authorStructure, researchRound } from './nodes/research.js';
import { repurpose } from './nodes/repurpose.js';
import { ragRetriever } from './nodes/retrieve.js';
import { shadowAnalyze, shadowAnnotate, shadowApprove } from './nodes/shadow.js';
import type { ArticlePorts } from './ports.js';
import { articleNodes, routingTable, type ArticleNode } from './routing.js';
import { ArticleStateAnnotation, failed, rejected, type ArticleNodeFunction } from './state.js';

/** X7: asks a person to raise the budget or to stop the run. */
function budgetDecision(ports: ArticlePorts): ArticleNodeFunction {
  return async (state) => {
    const goesOn = await askForBudget(ports, state.session_id, state.budget_shortfall!);
    const stopped = rejected('budget_exceeded', phrase('run_error.budget_exceeded.saved'));
    return { budget_shortfall: null, ...(goesOn ? {} : stopped) };
  };
}

/** X13: asks a person what to do about a failed model. */
function modelDecision(ports: ArticlePorts): ArticleNodeFunction {
  return (state) => {
    const { recovery, error } = askAboutModel(ports, state.session_id, state.model_recovery);
    return Promise.resolve({ model_recovery: recovery, ...(error ? failed(error.code, error.detail) : {}) });
  };
}

/**
 * Builds the uncompiled graph of articles (A1): author and shadow are two branches with one retriever. Nodes
 * that ask a person are remote; the others run in the agent-runner.
 */
export function buildArticleGraph(ports: ArticlePorts) {
  const nodes: Record<ArticleNode, ArticleNodeFunction> = {
    route_mode: routeMode,
    check_duplicates: checkDuplicates(ports),
    confirm_topic: confirmTopic(ports),
    author_research: budgeted(authorResearch(ports)),
    research_round: budgeted(researchRound(ports)),
    write_report: budgeted(writeReport(ports)),
    approve_research: approveResearch(ports),
    author_structure: budgeted(authorStructure(ports)),
    author_draft: budgeted(authorDraft(ports)),
    rag_retriever: ragRetriever(ports),
    author_style: budgeted(authorStyle(ports)),
    author_approve: authorApprove(ports),
    save_metadata: saveMetadata(ports),
    shadow_analyze: budgeted(shadowAnalyze(ports)),
    shadow_annotate: budgeted(shadowAnnotate(ports)),
    shadow_approve: shadowApprove(ports),
    repurpose: budgeted(repurpose(ports)),
    budget_decision: budgetDecision(ports),
    model_decision: modelDecision(ports),
  };
  for (const name of articleNodes) nodes[name] = instrumentNode(name, ports.emit, nodes[name]);
  const graph = graphByTable(ArticleStateAnnotation, articleNodes, nodes, routingTable);
  graph.addEdge(START, 'route_mode');
  return graph;
}
