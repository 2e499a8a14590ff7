import { isActive, type OverruledFinding } from '#contracts/findings.js';
import { phrase, type Phrase } from '#contracts/phrases/phrase.js';
import { askModel, withStage, stepKey } from '#kit/graph/node.js';
import { verdictsOf } from '#writing/proofs/proofs.js';
import { hasBody, splitParagraphs } from '#writing/paragraphs.js';
import { applyPatch } from '#writing/span-patch.js';
import { auditOf, minimumOf, type Asked, type RuleReview } from '../checks.js';
import { rank, scoreOfBetterText } from '../better-text.js';
import { judgementOf, type Judgement } from '../reviewer.js';
import { remainingParagraphs } from '../../versions/kept-paragraphs.js';
import { judgedByRules } from '../../versions/score.js';
import { changeable } from '../steering.js';
import { contextOf } from './chapter-context.js';
import { settleResearch } from './research.js';
import {
  draftChapter,
  planChapter,
  reviewChapter,
  reviseChapter,
  steerChapter,
} from '../../prompts/chapter.js';
import type { ChapterContext } from '../../prompts/context.js';
import type { BookPorts, BookSnapshot } from '../ports.js';
import { failed, type BookNodeFunction, type BookState, type BookUpdate, type Steering } from '../state.js';

export function planNode(ports: BookPorts): BookNodeFunction {
  return async (state, config) => {
    // A revision keeps the sections of the present text, unless its author asks otherwise.
    if (state.steering) return { plan: null };
    const context = await contextOf(ports, state);
    const planned = await askModel(ports, planChapter(context), config);
    const { outline } = context.chapter;
    const sections =
      outline.sections.length > 0 ? outline.sections : [{ title: context.chapter.title, points: [] }];
    return {
      plan: planned
        ? { intent: planned.intent, sections: planned.sections }
        : { intent: outline.summary, sections },
      research: settleResearch(ports, context, planned, config),
      fallback_stages: withStage(state.fallback_stages, planned ? null : 'plan_chapter'),
    };
  };
}

/** B8: writes the first draft, or revises the best one by span patch. */
export function draftNode(ports: BookPorts): BookNodeFunction {
  return async (state, config) => {
    const context = await contextOf(ports, state);
    if (state.best_draft && state.review_result) return revise(ports, state, context, config);
    if (state.steering) return steer(ports, state.steering, context, config);
    const others = await otherTexts(ports, context);
    const draft = await askModel(ports, draftChapter(context, others), config);
    if (draft === null) return compile(ports, state, 'draft_chapter');
    const { text, gaps, new_facts } = draft;
    return { draft: text, gaps, new_facts };
  };
}

/** Revises the present text as the person requested. The text is unchanged if nothing could be done. */
async function steer(
  ports: BookPorts,
  steering: Steering,
  context: ChapterContext,
  config: Parameters<BookNodeFunction>[1],
): Promise<BookUpdate> {
  const answer = await askModel(ports, steerChapter(context, steering), config);
  if (answer === null) {
    const why = ports.offline ? 'no_model' : 'failed';
    return failed('text_kept', phrase(`run_error.text_kept.${why}`));
  }
  const allowed = changeable(steering);
  const edits = answer.edits.filter(({ op, paragraph_id: id }) => op === 'insert_after' || allowed.has(id));
  const { text } = applyPatch(steering.present, edits);
  if (text === steering.present && steering.feedback !== '')
    return failed('feedback_not_applied', notApplied(answer.cannot));
  return { draft: text, gaps: answer.cannot };
}

function notApplied(cannot: string[]): Phrase {
  return cannot.length > 0
    ? phrase('run_error.feedback_not_applied', { reasons: cannot.join(' ').slice(0, 1_900) })
    : phrase('run_error.feedback_not_applied.quote');
}

const otherTexts = async (ports: BookPorts, { chapter }: Pick<ChapterContext, 'chapter'>) =>
  (await ports.book.texts()).filter(({ chapter_id: id }) => id !== chapter.id);

/** Compiles a draft of quotations by rules; refuses to replace text written by a model. */
async function compile(ports: BookPorts, state: BookState, stage: string): Promise<BookUpdate> {
  const texts = await ports.book.texts();
  if (texts.some(({ chapter_id: id, byModel }) => id === state.chapter_id && byModel)) {
    const why = ports.offline ? 'no_model' : 'failed';
    return failed('model_text_kept', phrase(`run_error.model_text_kept.${why}`));
  }
  return {
    draft: await ports.rules.call('compile', state.knowledge_context),
    fallback_stages: withStage(state.fallback_stages, stage),
  };
}

async function revise(
  ports: BookPorts,
  state: BookState,
  context: ChapterContext,
  config: Parameters<BookNodeFunction>[1],
): Promise<BookUpdate> {
  const { content, review } = state.best_draft!;
  const revision_count = state.revision_count + 1;
  const edits =
    content.trim() === ''
      ? null
      : await askModel(ports, reviseChapter(context, content, review, state.steering ?? null), config);
  if (edits) {
    const named = unlessKept(content, namedParagraphs(review, edits), state.steering ?? null);
    return { draft: applyPatch(content, edits, named).text, revision_count };
  }
  if (content.trim() === '') return { ...(await compile(ports, state, 'revise_chapter')), revision_count };
  return {
    draft: content,
    revision_count,
    fallback_stages: withStage(state.fallback_stages, 'revise_chapter'),
  };
}

/**
 * Returns the ids of paragraphs that a revision may change, from the findings; null for all, if the reviewer
 * wants a revision or no finding names a paragraph.
 */
function namedParagraphs(
  review: NonNullable<BookState['review_result']>,
  edits: { paragraph_id: string; op: string }[],
) {
  const active = review.findings.filter(isActive);
  const found = new Set(active.flatMap(({ paragraph_id: id }) => (id === null ? [] : [id])));
  if (review.should_revise || found.size === 0) return null;
  const inserts = edits.filter(({ op }) => op === 'insert_after').map(({ paragraph_id: id }) => id);
  return new Set([...found, ...(review.guardrails.includes('too_short') ? inserts : [])]);
}

/** Leaves out the paragraphs that a person accepted or wrote. */
function unlessKept(
  content: string,
  named: Set<string> | null,
  steering: Steering | null,
): Set<string> | null {
  if (!steering) return named;
  const fixed = new Set(steering.kept);
  const all = named ?? splitParagraphs(content).map(({ id }) => id);
  return new Set([...all].filter((id) => !fixed.has(id)));
}

/** B9: combines guardrails, rule findings and the reviewer's judgement. Keeps the best draft so far. */
export function reviewNode(ports: BookPorts): BookNodeFunction {
  return async (state, config) => {
    const context = await contextOf(ports, state);
    const draft = state.draft;
    const others = await otherTexts(ports, context);
    // Only a model's first draft has to follow the plan: the offline writer takes its headings from the sources.
    const mustFollow = !ports.offline && !state.steering;
    const headings = (mustFollow && context.plan?.sections.map(({ title }) => title)) || null;
    const overruled = await ports.book.overruled();
    const asked = { ...askedOf(context.book, state.steering, overruled), headings };
    const rules = await ports.rules.call('review', draft, state.knowledge_context, others, asked);
    const judged =
      draft.trim() === ''
        ? null
        : await askModel(
            ports,
            reviewChapter(context, { draft, rules, others, feedback: state.steering?.feedback ?? '' }),
            config,
          );
    const fallback_stages = withStage(state.fallback_stages, judged ? null : 'review_chapter');
    const judgement = judged
      ? judgementOf(judged, draft, ports.model.label, overruled)
      : judgementByRules(rules);
    const given = {
      minimum: asked.minimum,
      revision: state.revision_count,
      fallbackStages: fallback_stages,
      gaps: state.gaps ?? [],
      newFacts: state.new_facts ?? [],
      research: state.research ?? null,
    };
    const checked = judged
      ? await ports.rules.call(
          'settle',
          draft,
          rules,
          verdictsOf(judged.proofs, rules.findings),
          state.knowledge_context,
        )
      : rules;
    const review = auditOf(judgement, checked, given);
    const { score, effective_should_revise: revise, guardrails, revision } = review;
    const { id: chapter_id, number } = context.chapter;
    ports.emit({
      type: 'chapter_reviewed',
      data: { chapter_id, number, score, guardrails, revision, revise },
      effectKey: `${stepKey(config)}/chapter_reviewed`,
    });
    const better = !state.best_draft || rank(review) > rank(state.best_draft.review);
    return {
      review_result: review,
      best_draft: better ? { content: draft, review } : state.best_draft,
      fallback_stages,
    };
  };
}

function askedOf(
  book: BookSnapshot,
  steering: Steering | null,
  overruled: readonly OverruledFinding[],
): Asked {
  const { profile } = book;
  // The author decides the length of a text that a run revises: "Shorten it." must not end in padding.
  const minimum = steering ? 0 : minimumOf(profile);
  return { profile, minimum, known: authorsWords(book), headings: null, overruled };
}

function judgementByRules(rules: RuleReview): Judgement {
  const errors = rules.findings.filter(({ severity }) => severity === 'error').length;
  const comments = `${rules.findings.length} findings by rule, ${errors} of them errors.`;
  return { ...judgedByRules(rules), comments, reviewer: 'rules', findings: [] };
}

/** Returns the words of the brief and the outline. */
function authorsWords({ title, profile, synopsis, chapters }: BookSnapshot): string {
  const outline = chapters.flatMap(({ title: heading, outline: { summary, sections, terms } }) => [
    heading,
    summary,
    ...sections.flatMap((section) => [section.title, ...section.points]),
    ...terms,
  ]);
  return [title, ...Object.values(profile).map(String), synopsis, ...outline].join('\n');
}

/** B10: stores and indexes the best draft. Repeating the step does not change anything. */
export function persistNode(ports: BookPorts): BookNodeFunction {
  return async (state, config) => {
    const { content, review } = state.best_draft!;
    const chapter_id = state.chapter_id!;
    if (!hasBody(content)) return failed('chapter_empty', phrase('run_error.chapter_empty'));
    const { chapters } = await ports.book.load();
    const chapter = chapters.find(({ id }) => id === chapter_id);
    if (!chapter) return failed('chapter_gone', phrase('run_error.chapter_gone'));
    const key = stepKey(config);
    const { summary, facts, citations } = await ports.rules.call('derive', content, state.knowledge_context);
    const result = {
      chapter_id,
      effect_key: key,
      content,
      summary: summary || chapter.summary,
      facts,
      citations,
      review,
      kept: remainingParagraphs(content, state.steering?.kept ?? []),
    };
    const version = await ports.book.saveChapter(result);
    const before = await ports.book.present(chapter_id, version - 1);
    const kept = await scoreOfBetterText(ports, before, {
      review,
      steering: state.steering,
      others: await otherTexts(ports, { chapter }),
      asked: askedOf(await ports.book.load(), state.steering, await ports.book.overruled()),
    });
    if (kept) await ports.book.keepVersion(chapter_id, version - 1, `${key}/kept`);
    const stored = kept && before ? before.content : content;
    await ports.knowledge.remember({ id: chapter_id, title: chapter.title, content: stored });
    const stages = state.fallback_stages;
    const runtime = { writer: ports.model.label, used_fallback: stages.length > 0, fallback_stages: stages };
    const all = chapters.every(({ id, version }) => version > 0 || id === chapter_id);
    await ports.book.note(runtime, all ? 'written' : 'writing', `${key}/note`);
    const data = {
      chapter_id,
      number: chapter.number,
      title: chapter.title,
      score: review.score,
      words: review.words,
      fallback_stages: stages,
    };
    ports.emit({ type: 'chapter_persisted', data, effectKey: `${key}/chapter_persisted` });
    const kept_text = kept && { version, score: kept.score, new_score: review.score };
    if (kept_text) {
      const about = { chapter_id, number: chapter.number, title: chapter.title, ...kept_text };
      ports.emit({ type: 'chapter_kept', data: about, effectKey: `${key}/chapter_kept` });
    }
    return { kept_text, chapters_done: 1, review_result: review, status: 'completed' };
  };
}
