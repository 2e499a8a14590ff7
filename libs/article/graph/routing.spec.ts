import { NO_RECOVERY } from '#kit/graph/model-recovery.js';
import { nextByTable } from '#kit/graph/routing.js';
import { END } from '@langchain/langgraph';
import { buildArticleGraph } from './definition.js';
import type { ArticlePorts } from './ports.js';
import { type ArticleNode, articleNodes, CALLING, routingTable } from './routing.js';
import { rejected, type ArticleState } from './state.js';

const nextNode = (from: ArticleNode, state: ArticleState) => nextByTable(routingTable, from, state);

/** Initial values of the keys that determine routes. */
const stateOf = (changes: Partial<ArticleState> = {}, mode: ArticleState['mode'] = 'author'): ArticleState =>
  ({
    mode,
    inputs: { topic: 'Nets' },
    status: 'running',
    approved: false,
    duplicate_detected: false,
    budget_shortfall: null,
    model_recovery: NO_RECOVERY,
    current_node: null,
    ...changes,
  }) as ArticleState;
const over = stateOf(rejected('not_approved', 'No.') as Partial<ArticleState>);
const shortfall = { scope: 'run', unit: 'tokens', spent: 1, reserved: 0, needed: 2, limit: 2 } as const;

describe('the graph of articles', () => {
  it('A1 compiles as one graph with both branches', () => {
    expect(() => buildArticleGraph({} as ArticlePorts).compile()).not.toThrow();
    expect(nextNode('route_mode', stateOf())).toBe('check_duplicates');
    expect(nextNode('route_mode', stateOf({}, 'shadow'))).toBe('rag_retriever');
    expect(nextNode('rag_retriever', stateOf())).toBe('author_style');
    expect(nextNode('rag_retriever', stateOf({}, 'shadow'))).toBe('shadow_analyze');
  });

  it('A3 A7 routes every node in the order of its branch', () => {
    const author = [
      'author_research',
      'write_report',
      'approve_research',
      'author_structure',
      'author_draft',
      'rag_retriever',
    ] as const;
    author.slice(1).forEach((to, i) => expect(nextNode(author[i]!, stateOf())).toBe(to));
    expect(nextNode('author_style', stateOf())).toBe('author_approve');
    expect(nextNode('author_approve', stateOf({ approved: true }))).toBe('save_metadata');
    expect(nextNode('save_metadata', stateOf({ status: 'completed' }))).toBe(END);
    expect(nextNode('shadow_analyze', stateOf({}, 'shadow'))).toBe('shadow_annotate');
    expect(nextNode('shadow_annotate', stateOf({}, 'shadow'))).toBe('shadow_approve');
  });

  it('A6 continues with rounds while searches are planned, also when a person requests one', () => {
    const planned = stateOf({ research_end: null });
    for (const from of ['author_research', 'research_round', 'approve_research'] as const)
      expect(nextNode(from, planned)).toBe('research_round');
    expect(nextNode('research_round', stateOf({ research_end: 'budget' }))).toBe('write_report');
  });

  it('A5 asks about a topic that was already written about, unless repetition is allowed', () => {
    const found = { duplicate_detected: true };
    expect(nextNode('check_duplicates', stateOf(found))).toBe('confirm_topic');
    expect(nextNode('check_duplicates', stateOf({ ...found, inputs: { allow_duplicate: true } }))).toBe(
      'author_research',
    );
    expect(nextNode('check_duplicates', stateOf())).toBe('author_research');
    expect(nextNode('confirm_topic', stateOf(found))).toBe('author_research');
  });

  it('A4 rewrites after a rejection, and ends when the run is over', () => {
    expect(nextNode('author_approve', stateOf())).toBe('author_draft');
    expect(nextNode('shadow_approve', stateOf({}, 'shadow'))).toBe('shadow_analyze');
    for (const { from } of routingTable.filter(({ when }) => when === 'the run is over'))
      expect(nextNode(from, over)).toBe(END);
  });

  it('A7 skips approval of a text that could not be compared', () => {
    const failed = stateOf({ status: 'failed', error_type: 'no_corpus' }, 'shadow');
    expect(nextNode('shadow_analyze', failed)).toBe(END);
  });

  it('X7 routes a node that exceeds a budget to the decision, and back to the node', () => {
    for (const node of CALLING) {
      expect(nextNode(node, stateOf({ budget_shortfall: shortfall }))).toBe('budget_decision');
      expect(nextNode('budget_decision', stateOf({ current_node: node }))).toBe(node);
    }
    expect(nextNode('budget_decision', stateOf())).toBe(END);
  });

  it('X13 routes a node whose model failed to the decision, and back to the node', () => {
    const failure = { code: 'model_unavailable', message: 'It is down.', operation: 'x', model: 'm' };
    for (const node of CALLING) {
      const state = stateOf({ model_recovery: { ...NO_RECOVERY, failure } });
      expect(nextNode(node, state)).toBe('model_decision');
      expect(nextNode('model_decision', stateOf({ current_node: node }))).toBe(node);
    }
    expect(nextNode('model_decision', over)).toBe(END);
  });

  it('A1 has a next node after every node, in any state', () => {
    for (const node of articleNodes) expect(nextNode(node, stateOf())).toBeDefined();
  });
});
