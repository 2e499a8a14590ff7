import { detailOf } from '#contracts/phrases/detail.js';
import { contextOf, questionOf } from '#contracts/decision-request.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { askModel, fallbackFacts, withStage } from '#kit/graph/node.js';
import { runRemotely } from '#kit/graph/remote.js';
import { type Finding, type Span, withOverruled } from '#contracts/findings.js';
import { NO_CORPUS_ADVICE } from '../../contract.js';
import { MAX_REJECTIONS, shadowAnswerSchema, type ShadowAnswer } from '../../contract/values.js';
import { finding } from '#writing/findings.js';
import { markUp } from '#writing/mark-up.js';
import { applyDecisions, revisionChanges } from '#writing/paragraph-decisions.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import { createQuoteFinder } from '#writing/quotes.js';
import { applyPatch } from '#writing/span-patch.js';
import { analyzeStyle, correctStyle, type Remark } from '../../prompts/operations.js';
import type { ArticlePorts } from '../ports.js';
import {
  failed,
  rejected,
  createMessage,
  type ArticleNodeFunction,
  type ArticleState,
  type ArticleUpdate,
} from '../state.js';
import { faithful } from './draft.js';

/** A7: finds deviations of the text from the corpus, or from general rules. The model adds remarks. */
export function shadowAnalyze(ports: ArticlePorts): ArticleNodeFunction {
  return async (state, config) => {
    const text = state.user_text;
    const report =
      state.inputs.rules === 'general'
        ? await ports.rules.call('general', text)
        : (await ports.rules.call('style', text, await ports.style.texts()))?.report;
    if (!report) return failed('no_corpus', phrase('run_error.no_corpus', { advice: NO_CORPUS_ADVICE }));
    const remarks = await askModel(ports, analyzeStyle(state), config);
    const { annotations, deviations, corrected } = report;
    return {
      annotations: withOverruled(
        [...annotations, ...annotationsOf(text, remarks ?? [], annotations)],
        await ports.overruled(),
      ),
      deviations,
      corrected_version: withoutUnwanted(text, corrected, state.unwanted),
      fallback_stages: withStage(state.fallback_stages, remarks ? null : 'shadow_analyze'),
    };
  };
}

/**
 * Anchors the model's remarks at the words that they quote; drops remarks that quote nothing of the text or
 * repeat a rule's finding.
 */
function annotationsOf(text: string, remarks: Remark[], known: Finding[]): Finding[] {
  const paragraphs = splitParagraphs(text);
  const head = paragraphs[0]?.kind === 'front_matter' ? paragraphs[0].end : 0;
  const taken = new Set(known.map(({ span }) => `${span?.start}-${span?.end}`));
  const find = createQuoteFinder(text);
  return remarks.flatMap(({ quote, reason, suggestion }) => {
    const span = find(quote, head);
    const place = `${span?.start}-${span?.end}`;
    if (!span || taken.has(place)) return [];
    taken.add(place);
    const remark = { rule: 'editor', severity: 'info' as const, message: reason, span, evidence: [] };
    const made = finding(text, paragraphs, { ...remark, ...(suggestion ? { suggestion } : {}) });
    return [{ ...made, id: `${made.id}-${span.start}` }];
  });
}

/**
 * A7: creates the annotated text and the corrected version. Never changes figures, quotations, addresses and
 * code.
 */
export function shadowAnnotate(ports: ArticlePorts): ArticleNodeFunction {
  return async (state, config) => {
    const text = state.user_text;
    const mechanical = state.corrected_version;
    const edits = await askModel(ports, correctStyle(state, mechanical), config);
    const patched = edits ? applyPatch(mechanical, faithful(mechanical, edits)).text : mechanical;
    const corrected = withoutUnwanted(text, patched, state.unwanted);
    const annotated = markUp(text, state.annotations);
    const changes = revisionChanges(text, corrected);
    await ports.proposals.add(
      state.iteration_count,
      changes.map((change) => ({ ...change, findings: findingsIn(state.annotations, change.base) })),
    );
    return {
      annotated_text: annotated,
      corrected_version: corrected,
      annotated_key: await ports.keep(annotated),
      corrected_key: await ports.keep(corrected),
      fallback_stages: withStage(state.fallback_stages, edits ? null : 'shadow_annotate'),
      messages: [createMessage('desk', `${state.annotations.length} annotations.`)],
    };
  };
}

/** Returns the findings about a part of a text. */
const findingsIn = (findings: readonly Finding[], { start, end }: Span): Finding[] =>
  findings.filter(({ span }) => span && span.start >= start && span.end <= end);

/** Reverts corrections that a person has rejected before. */
function withoutUnwanted(text: string, corrected: string, unwanted: ArticleState['unwanted']): string {
  if (unwanted.length === 0) return corrected;
  const decisions = revisionChanges(text, corrected).map(({ id, before }) => ({
    change_id: id,
    accepted: !unwanted.some((change) => change.before === before),
    reason: null,
  }));
  return applyDecisions(text, corrected, decisions);
}

/**
 * A7, X8: a person approves all changes or single ones, those of the answer or of the session's proposals, or rejects them with a reason. The third rejection
 * that names no single changes ends the run (A4).
 */
export function shadowApprove(ports: ArticlePorts): ArticleNodeFunction {
  return async (state) => {
    const changes = revisionChanges(state.user_text, state.corrected_version);
    const outcome = runRemotely('human_input', {
      session_id: state.session_id,
      decision_type: 'article_shadow',
      ...questionOf(phrase('question.article_shadow', { count: state.annotations.length })),
      ...contextOf(fallbackFacts(state.fallback_stages)),
      details: {
        text: state.user_text,
        annotated_text: state.annotated_text,
        corrected_version: state.corrected_version,
        iteration_count: state.iteration_count,
        annotations: state.annotations,
        deviations: state.deviations,
        changes: changes.map(({ revised: _, ...change }) => change),
      },
      deadline_seconds: ports.settings.decisionDeadlineSeconds,
      default_answer: { action: 'stop' },
    });
    if (!outcome.ok) return failed(outcome.error.code, detailOf(outcome.error));
    const answer = shadowAnswerSchema.parse(outcome.output);
    if (answer.action === 'stop')
      return rejected('not_approved', phrase('run_error.not_approved.corrections'));
    const round = state.iteration_count;
    const refused = new Set(
      answer.changes
        ? answer.changes.flatMap((one) => (one.accepted ? [] : [one.change_id]))
        : (await ports.proposals.rejected(round)).map((position) => changes[position]?.id),
    );
    const decided = changes.map(({ id }) => ({ isRejected: refused.has(id) }));
    await ports.proposals.decide(round, decided, answer.action === 'approve');
    if (answer.action === 'reject')
      return rejection(
        state,
        answer,
        changes.filter(({ id }) => refused.has(id)),
      );
    const decisions = changes.map(({ id }) => ({ change_id: id, accepted: !refused.has(id), reason: null }));
    const text = applyDecisions(state.user_text, state.corrected_version, decisions);
    return {
      status: 'completed',
      approved: true,
      final_text: text,
      corrected_version: text,
      corrected_key: await ports.keep(text),
      messages: [createMessage('person', 'Approved.')],
    };
  };
}

function rejection(
  state: ArticleState,
  { reason = '' }: ShadowAnswer,
  refused: ArticleState['unwanted'],
): ArticleUpdate {
  const times = state.whole_rejections + (refused.length === 0 ? 1 : 0);
  return {
    iteration_count: state.iteration_count + 1,
    whole_rejections: times,
    human_feedback: reason,
    unwanted: [...state.unwanted, ...refused.map(({ before, after }) => ({ before, after }))],
    messages: [createMessage('person', reason)],
    ...(times >= MAX_REJECTIONS
      ? rejected('rejected', phrase('run_error.rejected.corrections', { times }))
      : {}),
  };
}
