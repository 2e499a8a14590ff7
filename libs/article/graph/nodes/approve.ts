import { detailOf } from '#contracts/phrases/detail.js';
import { contextOf, questionOf } from '#contracts/decision-request.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { fallbackFacts, stepKey } from '#kit/graph/node.js';
import { runRemotely } from '#kit/graph/remote.js';
import type { CitedPassages } from '../../contract/tasks.js';
import { draftAnswerSchema, MAX_REJECTIONS, type DraftAnswer } from '../../contract/values.js';
import { citeSources } from '#writing/citations.js';
import { revisionChanges } from '#writing/paragraph-decisions.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import { countWords } from '#writing/words.js';
import type { ArticlePorts } from '../ports.js';
import {
  failed,
  rejected,
  createMessage,
  type ArticleNodeFunction,
  type ArticleState,
  type ArticleUpdate,
  type RejectedParagraph,
} from '../state.js';

const BEGINS = 120;

/** A3, A4, X8: a person accepts the draft, rejects it or single paragraphs, or returns an edited text. */
export function authorApprove(ports: ArticlePorts): ArticleNodeFunction {
  return async (state) => {
    const outcome = runRemotely('human_input', {
      session_id: state.session_id,
      decision_type: 'article_draft',
      ...questionOf(phrase('question.article_draft', { topic: state.topic })),
      ...contextOf(fallbackFacts(state.fallback_stages)),
      details: detailsOf(state),
      deadline_seconds: ports.settings.decisionDeadlineSeconds,
      default_answer: { action: 'stop' },
    });
    if (!outcome.ok) return failed(outcome.error.code, detailOf(outcome.error));
    const answer = draftAnswerSchema.parse(outcome.output);
    const unwanted = rejectedOf(answer);
    if (answer.action === 'stop') return rejected('not_approved', phrase('run_error.not_approved.draft'));
    if (answer.action === 'reject' || unwanted.length > 0) return rejection(state, answer, unwanted);
    const text = answer.text ?? citeSources(state.styled_draft, state.research_sources);
    return {
      approved: true,
      final_text: text,
      human_feedback: '',
      rejected_paragraphs: [],
      sources_key: await ports.keep(JSON.stringify(citedPassages(state))),
      article_key: await ports.keep(text),
      messages: [
        createMessage('person', answer.text === undefined ? 'Accepted.' : 'Handed an edited text back.'),
      ],
    };
  };
}

/** Returns the passages that the article can cite, for its export. */
function citedPassages({ passages, research_sources: sources }: ArticleState): CitedPassages {
  const addresses = new Map(sources.map(({ label, kind, url }) => [label, kind === 'web' ? url : null]));
  return passages.map(({ label, source_id, source_title, author, date, heading_path, span }) => ({
    label,
    source_id,
    source_title,
    author,
    date: date ?? null,
    url: addresses.get(label) ?? null,
    heading_path,
    span,
  }));
}

function detailsOf(state: ArticleState) {
  const { styled_draft: draft, previous_draft: before } = state;
  const changes = before === '' ? [] : revisionChanges(before, draft);
  return {
    draft: citeSources(draft, state.research_sources),
    iteration_count: state.iteration_count,
    paragraphs: splitParagraphs(draft).map(({ id, kind, text, start, end }) => ({
      id,
      kind,
      begins: text.slice(0, BEGINS),
      span: { start, end },
    })),
    changes: changes.map(({ revised: _, ...change }) => change),
    findings: state.draft_findings,
    annotations: state.style_annotations,
  };
}

function rejectedOf({ paragraphs = [] }: DraftAnswer): RejectedParagraph[] {
  return paragraphs.flatMap(({ paragraph_id, accepted, reason }) =>
    accepted ? [] : [{ paragraph_id, reason: reason ?? null }],
  );
}

/** A4: the third rejection of the whole draft ends the run and keeps the last draft. */
function rejection(
  state: ArticleState,
  { feedback = '' }: DraftAnswer,
  paragraphs: RejectedParagraph[],
): ArticleUpdate {
  const reason = feedback || `${paragraphs.length} paragraph(s) rejected.`;
  const times = state.whole_rejections + (paragraphs.length === 0 ? 1 : 0);
  return {
    iteration_count: state.iteration_count + 1,
    whole_rejections: times,
    human_feedback: feedback,
    rejected_paragraphs: paragraphs,
    previous_draft: state.styled_draft,
    messages: [createMessage('person', reason)],
    ...(times >= MAX_REJECTIONS ? rejected('rejected', phrase('run_error.rejected.draft', { times })) : {}),
  };
}

/** A12: adds the approved article to the log, once. */
export function saveMetadata(ports: ArticlePorts): ArticleNodeFunction {
  return async (state, config) => {
    const { topic, keywords, mode } = state;
    const word_count = countWords(state.final_text);
    await ports.log.save({ topic, keywords, mode, word_count });
    ports.emit({
      type: 'article_saved',
      data: { topic, word_count },
      effectKey: `${stepKey(config)}/article_saved`,
    });
    return { status: 'completed', messages: [createMessage('desk', 'The article is entered into the log.')] };
  };
}
