import { passagesBlock } from '#kit/graph/passages.js';
import { readJson, readProse, type Operation } from '#kit/graph/structured.js';
import { headingsSchema, type Heading } from '../contract/values.js';
import { checkCitations } from '#writing/citations.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import { editsOf, numberedDraft, REVISION_FORM, REVISION_RULE, revisionSchema } from '#writing/revision.js';
import type { ParagraphEdit } from '#writing/span-patch.js';
import { noteLabels, sentencesIn } from '#writing/sentences.js';
import { z } from 'zod';
import type { ArticleState, RejectedParagraph } from '../graph/state.js';
import * as prompts from './prompts.js';

const MAX_TOLD = 12;

/**
 * The research report (A6): every sentence has a citation that supports it; an invalid answer is corrected
 * once.
 */
export function writeReport(state: ArticleState): Operation<string> {
  const { passages, headings } = state;
  return {
    name: 'research_report',
    tier: 'fast',
    system: prompts.RESEARCHER,
    prompt: [
      prompts.brief(state),
      headings.length > 0 ? `The headings that are wanted:\n${prompts.outline(headings)}` : '',
      passagesBlock(passages),
      'Write the research report in markdown: what the passages say of the topic, under headings, each sentence cited.',
    ].join('\n\n'),
    read(answer) {
      const report = readProse(answer);
      const wrong = checkCitations(report, passages).findings.filter(({ severity }) => severity === 'error');
      const uncited = sentencesIn(report).filter(({ text }) => noteLabels(text).length === 0);
      const told = [
        ...wrong.map(({ message }) => message),
        ...uncited.map(({ text }) => `No source is cited in: ${text.slice(0, 200)}`),
      ];
      if (told.length > 0) throw new Error(told.slice(0, MAX_TOLD).join(' '));
      return report;
    },
  };
}

const headingsAnswer = z.object({ headings: headingsSchema });

/** Proposes headings for the article, based on the passages found. */
export function proposeHeadings(state: ArticleState, report: string): Operation<Heading[]> {
  return {
    name: 'propose_headings',
    tier: 'fast',
    system: prompts.PLANNER,
    prompt: [
      prompts.brief(state),
      prompts.research(report),
      'Propose the headings of the article: one of level 1, the title, then level 2 and where needed 3. Form: {"headings": [{"level": 1, "title": "…"}, {"level": 2, "title": "…"}]}',
    ].join('\n\n'),
    schema: headingsAnswer,
    read: (answer) => readJson(headingsAnswer, answer).headings,
  };
}

const planSchema = z.object({
  sections: z
    .array(
      z.object({
        title: z.string().max(300),
        points: z.array(z.string().max(1_000)).max(20).default([]),
        labels: z.array(z.string().max(20)).max(30).default([]),
      }),
    )
    .min(1)
    .max(60),
});
export type PlannedSections = z.infer<typeof planSchema>['sections'];

/** Plans the content of each heading, and its passages. */
export function planArticle(state: ArticleState): Operation<PlannedSections> {
  return {
    name: 'plan_article',
    tier: 'fast',
    system: prompts.PLANNER,
    prompt: [
      prompts.brief(state),
      `The headings:\n${prompts.outline(state.headings)}`,
      prompts.research(state.research_report),
      passagesBlock(state.passages),
      'Say for each heading below the title which points to make and from which passages. Form: {"sections": [{"title": "…", "points": ["…"], "labels": ["s1"]}]}',
    ].join('\n\n'),
    schema: planSchema,
    read: (answer) => readJson(planSchema, answer).sections,
  };
}

/** Writes the first draft. */
export function writeDraft(state: ArticleState): Operation<string> {
  return {
    name: 'author_draft',
    tier: 'main',
    system: prompts.WRITER,
    prompt: [
      prompts.brief(state),
      prompts.research(state.research_report),
      passagesBlock(state.passages),
      `The article, as it is planned:\n${prompts.outline(state.headings.slice(0, 1))}\n${prompts.plan(state.sections)}`,
      'Write the article in markdown, with these headings. Only the article.',
    ].join('\n\n'),
    read(answer) {
      const draft = readProse(answer);
      const there = new Set(
        splitParagraphs(draft).flatMap(({ kind, text }) => (kind === 'heading' ? [bare(text)] : [])),
      );
      const missing = state.sections.filter(({ heading }) => !there.has(bare(heading.title)));
      if (missing.length > 0)
        throw new Error(
          `it lacks the headings ${missing.map(({ heading }) => `"${heading.title}"`).join(', ')}.`,
        );
      return draft;
    },
  };
}

const bare = (heading: string): string =>
  heading
    .replace(/^ {0,3}#{1,6}[ \t]+/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

/** Revises the draft by span patch: the rejected paragraphs, or what the feedback is about. */
export function reviseDraft(state: ArticleState, draft: string): Operation<ParagraphEdit[]> {
  return {
    name: 'revise_article',
    tier: 'main',
    system: `${prompts.WRITER}\n${REVISION_RULE}`,
    prompt: [
      prompts.brief(state),
      passagesBlock(state.passages),
      `The draft, each paragraph with its id:\n\n${numberedDraft(draft)}`,
      revisionRequest(state.human_feedback, state.rejected_paragraphs),
      REVISION_FORM,
    ].join('\n\n'),
    schema: revisionSchema,
    read: (answer) => editsOf(readJson(revisionSchema, answer)),
  };
}

function revisionRequest(feedback: string, paragraphs: RejectedParagraph[]): string {
  if (paragraphs.length === 0) return `The editor asks: ${feedback}`;
  const asked = paragraphs.map(
    ({ paragraph_id: id, reason }) => `- <<${id}>>: ${reason ?? 'write it differently'}`,
  );
  return `The editor did not accept these paragraphs; change these only:\n${asked.join('\n')}`;
}

/** Adapts the draft to the style of the corpus, by span patch. */
export function styleDraft(state: ArticleState, draft: string): Operation<ParagraphEdit[]> {
  return {
    name: 'author_style',
    tier: 'main',
    system: `${prompts.STYLIST}\n${REVISION_RULE}`,
    prompt: [
      prompts.examples(state.style_fragments),
      `The draft, each paragraph with its id:\n\n${numberedDraft(draft)}`,
      'Reword the paragraphs that differ from the style of the examples; leave the others out.',
      REVISION_FORM,
    ].join('\n\n'),
    schema: revisionSchema,
    read: (answer) => editsOf(readJson(revisionSchema, answer)),
  };
}

const remarksSchema = z.object({
  remarks: z
    .array(
      z.object({
        quote: z.string().min(1).max(2_000),
        reason: z.string().min(1).max(1_000),
        suggestion: z.string().max(2_000).nullish(),
      }),
    )
    .max(200),
});
export type Remark = z.infer<typeof remarksSchema>['remarks'][number];

const isGeneral = ({ inputs }: ArticleState): boolean => inputs.rules === 'general';

/**
 * Collects an editor's remarks on the text, compared with the corpus, each with the words that it quotes
 * (A7).
 */
export function analyzeStyle(state: ArticleState): Operation<Remark[]> {
  return {
    name: 'shadow_analyze',
    tier: 'fast',
    system: isGeneral(state) ? prompts.GENERAL_EDITOR : prompts.EDITOR,
    prompt: [
      isGeneral(state) ? '' : prompts.examples(state.style_fragments),
      `The text:\n\n${state.user_text}`,
      state.human_feedback === '' ? '' : `The author did not accept the last round: ${state.human_feedback}`,
      `Say where the text ${isGeneral(state) ? prompts.GENERAL_FAULTS : 'differs from the style of the examples'}. Quote the words exactly. Form: {"remarks": [{"quote": "…", "reason": "…", "suggestion": "…"}]}`,
    ].join('\n\n'),
    schema: remarksSchema,
    read: (answer) => readJson(remarksSchema, answer).remarks,
  };
}

/** Corrects the text by span patch (A7). */
export function correctStyle(state: ArticleState, text: string): Operation<ParagraphEdit[]> {
  const remarks = state.annotations.map(
    ({ paragraph_id: id, message, suggestion }) =>
      `- ${id === null ? '' : `<<${id}>> `}${message} ${suggestion ?? ''}`,
  );
  return {
    name: 'shadow_annotate',
    tier: 'main',
    system: `${isGeneral(state) ? prompts.GENERAL_STYLIST : prompts.STYLIST}\n${REVISION_RULE}`,
    prompt: [
      isGeneral(state) ? '' : prompts.examples(state.style_fragments),
      `The text, each paragraph with its id:\n\n${numberedDraft(text)}`,
      `The remarks:\n${remarks.slice(0, 100).join('\n')}`,
      state.human_feedback === '' ? '' : `The author did not accept the last round: ${state.human_feedback}`,
      'Correct the paragraphs that the remarks speak of; leave the others out.',
      REVISION_FORM,
    ].join('\n\n'),
    schema: revisionSchema,
    read: (answer) => editsOf(readJson(revisionSchema, answer)),
  };
}
