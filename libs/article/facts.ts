import type { DecisionRequest } from '#contracts/decisions.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { platforms } from './contract/repurpose.js';
import { draftAnswerSchema, draftDetailsSchema } from './contract/values.js';
import type { RunProgress } from '#contracts/runs.js';
import type { KindFacts } from '#engine/kind.js';
import { z } from 'zod';
import { articleNodes } from './graph/routing.js';
import type { ArticleState } from './graph/state.js';

/** Graph version, recorded with each run. Increment it if a change affects parked runs. */
export const ARTICLE_GRAPH_VERSION = '1';

const LABELS: Record<string, string> = {
  route_mode: 'starting',
  check_duplicates: 'checking for articles on the same topic',
  confirm_topic: 'topic confirmed',
  author_research: 'researching',
  research_round: 'searching for answers',
  write_report: 'writing the research report',
  approve_research: 'research approved',
  author_structure: 'planning the article',
  author_draft: 'writing the draft',
  rag_retriever: 'searching for style examples',
  author_style: 'applying the style to the draft',
  author_approve: 'draft reviewed',
  save_metadata: 'saving the article',
  shadow_analyze: 'comparing the text with the style',
  shadow_annotate: 'annotating the text',
  shadow_approve: 'annotations reviewed',
  repurpose: 'repurposing the article',
  budget_decision: 'waiting for a budget',
  model_decision: 'waiting for a decision about the failed model',
};
/** Number of nodes that a run of each mode executes, as far as it is known in advance. */
const STEPS = { author: 11, shadow: 4, repurpose: 2 };

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
    label: state.status === 'running' ? (node && LABELS[node]) || 'starting' : (state.status ?? null),
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
  results: (graphState) => {
    const state = graphState as Partial<ArticleState>;
    return {
      article: state.article_key ?? null,
      report: state.report_key ?? null,
      annotated: state.annotated_key ?? null,
      corrected: state.corrected_key ?? null,
      ...Object.fromEntries(platforms.map((platform) => [platform, state.piece_keys?.[platform] ?? null])),
    };
  },
  answerResolvers: { article_draft: { resolve: checkParagraphs } },
};
