import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import type { DecisionRequest } from '#catalogue/decisions.js';
import { ProblemError } from '#contracts/errors.js';
import { draftAnswerSchema, draftDetailsSchema } from './contract/values.js';
import { labelOf, type RunProgress } from '#contracts/runs.js';
import type { KindFacts } from '#engine/kind.js';
import { z } from 'zod';
import { articleNodes } from './graph/routing.js';
import type { ArticleState } from './graph/state.js';

/** Graph version, recorded with each run. Increment it if a change affects parked runs. */
const ARTICLE_GRAPH_VERSION = '1';

const LABELS: Record<string, Phrase> = {
  route_mode: phrase('progress.starting'),
  check_duplicates: phrase('progress.article.check_duplicates'),
  confirm_topic: phrase('progress.article.confirm_topic'),
  author_research: phrase('progress.article.author_research'),
  research_round: phrase('progress.article.research_round'),
  write_report: phrase('progress.article.write_report'),
  approve_research: phrase('progress.article.approve_research'),
  author_structure: phrase('progress.article.author_structure'),
  author_draft: phrase('progress.article.author_draft'),
  rag_retriever: phrase('progress.article.rag_retriever'),
  author_style: phrase('progress.article.author_style'),
  author_approve: phrase('progress.article.author_approve'),
  save_metadata: phrase('progress.article.save_metadata'),
  shadow_analyze: phrase('progress.article.shadow_analyze'),
  shadow_annotate: phrase('progress.article.shadow_annotate'),
  shadow_approve: phrase('progress.article.shadow_approve'),
  repurpose: phrase('progress.article.repurpose'),
  choose_article: phrase('progress.starting'),
  export_article: phrase('progress.article.export_article'),
  budget_decision: phrase('progress.budget_decision'),
  model_decision: phrase('progress.model_decision'),
};
/** Number of nodes that a run of each mode executes, as far as it is known in advance. */
const STEPS = { author: 11, shadow: 4, repurpose: 2, export: 3 };

function stepOf(status: ArticleState['status'] | undefined, node: string | null): Phrase | null {
  if (status !== 'running') return status ? phrase(`progress.${status}`) : null;
  return (node !== null && LABELS[node]) || phrase('progress.starting');
}

/** Returns the progress that clients see; a state saved by an older release may lack keys. */
function describe(graphState: Record<string, unknown>): RunProgress {
  const state = graphState as Partial<ArticleState>;
  const node = state.current_node ?? null;
  const stages = state.fallback_stages ?? [];
  const { mode = 'author', node_timings: timings = {} } = state;
  const total = STEPS[mode];
  const isDone = state.status === 'completed';
  return {
    phase: node,
    ...labelOf(stepOf(state.status, node)),
    done: isDone ? total : Math.min(Object.keys(timings).length, total - 1),
    total,
    details: {
      topic: state.topic || null,
      iteration_count: state.iteration_count ?? 0,
      approved: state.approved ?? false,
      duplicate_detected: state.duplicate_detected ?? false,
      duplicate_article: state.duplicate_article?.topic ?? null,
      sources: state.research_sources?.length ?? 0,
      open_questions: (state.research_questions ?? []).filter(({ status }) => status === 'open').length,
      used_fallback: stages.length > 0,
      fallback_stages: stages,
      timings_json: { nodes: timings },
      ...(mode === 'export' && { exports: state.exports ?? [] }),
    },
  };
}

/** Rejects decisions about paragraphs that the draft lacks. @throws ProblemError `invalid_answer` */
function checkParagraphs(
  answer: Record<string, unknown>,
  request: DecisionRequest,
): Promise<Record<string, unknown>> {
  const { paragraphs = [] } = draftAnswerSchema.parse(answer);
  const known = new Set(draftDetailsSchema.parse(request.details).paragraphs.map(({ id }) => id));
  const errors = paragraphs.flatMap(({ paragraph_id: id }, i) =>
    known.has(id)
      ? []
      : [{ path: `paragraphs.${i}.paragraph_id`, message: 'is not a paragraph of the draft' }],
  );
  if (errors.length > 0)
    throw new ProblemError('invalid_answer', phrase('invalid_answer.paragraph_ids'), errors);
  return Promise.resolve(answer);
}

/** Facts about articles that every process can use without building the graph. */
export const articleFacts: KindFacts = {
  kind: 'article',
  version: ARTICLE_GRAPH_VERSION,
  nodes: articleNodes,
  continuation: {
    state: z.object({ session_id: z.string(), mode: z.string() }),
    carriedTasks: [],
    prose: [
      'inputs',
      'topic',
      'keywords',
      'user_text',
      'research_report',
      'research_sources',
      'research_findings',
      'research_questions',
      'research_conflicts',
      'passages',
      'headings',
      'sections',
      'style_fragments',
      'raw_draft',
      'styled_draft',
      'previous_draft',
      'draft_findings',
      'style_annotations',
      'final_text',
      'human_feedback',
      'annotations',
      'annotated_text',
      'corrected_version',
      'unwanted',
      'messages',
      'model_recovery',
    ],
    companions: () => [],
    needs: () => ({ inputs: [], assets: [], checkpointId: null, exportId: null }),
    shownKeys: ['iteration_count'],
    shown: ({ iteration_count: iteration }) => ({
      chapter: typeof iteration === 'number' ? iteration : null,
      manuscript: null,
    }),
  },
  describe,
  results: (graphState): Record<string, string | null> => {
    const state = graphState as Partial<ArticleState>;
    // A run says nothing about what its mode does not make, so that the results of earlier runs stay current.
    if (state.mode === 'author')
      return {
        article: state.article_key ?? null,
        sources: state.sources_key ?? null,
        report: state.report_key ?? null,
      };
    if (state.mode === 'shadow')
      return { annotated: state.annotated_key ?? null, corrected: state.corrected_key ?? null };
    return { ...state.piece_keys };
  },
  answerResolvers: { article_draft: { resolve: checkParagraphs } },
};
