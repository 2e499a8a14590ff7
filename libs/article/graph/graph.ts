import { decisionNodes } from '#kit/graph/decision-nodes.js';
import { budgeted, instrumentNode } from '#kit/graph/node.js';
import { graphByTable } from '#kit/graph/graph-by-table.js';
import { START } from '@langchain/langgraph';
import { authorApprove, saveMetadata } from './nodes/approve.js';
import { authorDraft, authorStyle } from './nodes/draft.js';
import { checkDuplicates, confirmTopic, routeMode } from './nodes/begin.js';
import { approveResearch, writeReport } from './nodes/report.js';
import { authorResearch, authorStructure, researchRound } from './nodes/research.js';
import { chooseArticle, exportArticle } from './nodes/export.js';
import { repurpose } from './nodes/repurpose.js';
import { ragRetriever } from './nodes/retrieve.js';
import { shadowAnalyze, shadowAnnotate, shadowApprove } from './nodes/shadow.js';
import type { ArticlePorts } from './ports.js';
import { articleNodes, routingTable, type ArticleNode } from './routing.js';
import { ArticleStateAnnotation, type ArticleNodeFunction } from './state.js';

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
    choose_article: chooseArticle(ports),
    export_article: exportArticle,
    ...decisionNodes(ports, { stopped: 'rejected' }),
  };
  for (const name of articleNodes) nodes[name] = instrumentNode(name, ports.emit, nodes[name]);
  const graph = graphByTable(ArticleStateAnnotation, articleNodes, nodes, routingTable);
  graph.addEdge(START, 'route_mode');
  return graph;
}
