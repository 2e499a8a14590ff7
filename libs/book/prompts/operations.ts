import { passagesBlock } from '#kit/graph/passages.js';
import { readJson, readProse, type Operation } from '#kit/graph/structured.js';
import {
  chapterOutlineChangesSchema,
  chapterOutlineSchema,
  outlineChapterSchema,
  type OutlineChapter,
} from '../contract/outline.js';
import type { ChapterReview } from '../contract/review.js';
import { editsOf, numberedDraft, REVISION_FORM, REVISION_RULE, revisionSchema } from '#writing/revision.js';
import type { ParagraphEdit } from '#writing/span-patch.js';
import { z } from 'zod';
import type { BookSnapshot, Memory, OutlinedChapter, Passage } from '../graph/ports.js';
import type { ChapterPlan, LabelledPassage } from '../graph/state.js';
import * as prompts from './prompts.js';

/** Data for a chapter's operations, besides the draft. */
export interface ChapterContext {
  book: BookSnapshot;
  chapter: OutlinedChapter;
  passages: LabelledPassage[];
  memory: Memory[];
  plan: ChapterPlan | null;
  minimum: number;
}

const outlinePartSchema = z.object({
  synopsis: z.string().max(5_000).optional(),
  chapters: z
    .array(chapterOutlineSchema.omit({ passages: true }).extend({ title: outlineChapterSchema.shape.title }))
    .min(1)
    .max(60),
});
export type OutlinePart = z.infer<typeof outlinePartSchema>;

const OUTLINE_FORM =
  '{"synopsis": "…", "chapters": [{"title": "…", "summary": "…", "sections": [{"title": "…", "points": ["…"]}], "terms": ["…"]}]}';

const told = (passages: Passage[]) =>
  passagesBlock(passages.map((passage, i) => ({ ...passage, label: `s${i + 1}` })));

/** Generates a part of the outline: chapters `from` to `to` of `total` (B13: `generate_outline`). */
export function generateOutline(
  book: BookSnapshot,
  passages: Passage[],
  before: OutlineChapter[],
  part: { from: number; to: number; total: number },
): Operation<OutlinePart> {
  const known = before
    .slice(-30)
    .map(({ title }, i) => `${before.length - Math.min(30, before.length) + i + 1}. ${title}`);
  return {
    name: 'generate_outline',
    tier: 'main',
    system: prompts.EDITOR,
    prompt: [
      prompts.bookBrief(book),
      told(passages),
      known.length > 0 ? `The outline so far:\n${known.join('\n')}` : '',
      `Give chapters ${part.from} to ${part.to} of ${part.total} of the outline: ${part.to - part.from + 1} chapters, each different from those so far.`,
      `Form: ${OUTLINE_FORM}`,
    ].join('\n\n'),
    schema: outlinePartSchema,
    read(answer) {
      const read = readJson(outlinePartSchema, answer);
      const wanted = part.to - part.from + 1;
      if (read.chapters.length < wanted)
        throw new Error(`it has ${read.chapters.length} chapters, not ${wanted}.`);
      return { ...read, chapters: read.chapters.slice(0, wanted) };
    },
  };
}

const REFINEMENT = `Give the whole new outline, in its new order.
- List every chapter that is to stay, with its title and its "number" in <outline>, which stays the same where the chapter moves. A chapter that you do not list is deleted, with its plan.
- A new chapter has no "number".
- "summary", "sections" and "terms" of a chapter that stays are kept when you leave them out. Give one of them only to change it, and then in full: it replaces the old one.
- Change only what the author asks for. Add "synopsis" beside "chapters" only when the synopsis itself is to change.
Form: {"chapters": [{"number": 1, "title": "…"}, {"number": 3, "title": "…", "sections": [{"title": "…", "points": ["…"]}]}, {"title": "a new chapter", "summary": "…", "sections": [{"title": "…", "points": ["…"]}], "terms": ["…"]}]}`;

const refinedSchema = z.object({
  synopsis: z.string().max(5_000).optional(),
  chapters: z
    .array(
      chapterOutlineChangesSchema.omit({ passages: true }).extend({
        number: z.number().int().min(1).optional(),
        title: outlineChapterSchema.shape.title,
      }),
    )
    .min(1)
    .max(500),
});
export type RefinedOutline = z.infer<typeof refinedSchema>;

/**
 * Refines the outline by the author's feedback; identifies existing chapters by number (B13:
 * `refine_outline`).
 */
export function refineOutline(
  book: BookSnapshot,
  passages: Passage[],
  feedback: string,
): Operation<RefinedOutline> {
  return {
    name: 'refine_outline',
    tier: 'main',
    system: prompts.EDITOR,
    prompt: [
      prompts.bookBrief(book),
      told(passages),
      prompts.outlineBlock(book.chapters),
      prompts.feedbackBlock(feedback),
      REFINEMENT,
    ].join('\n\n'),
    schema: refinedSchema,
    read: (answer) => readJson(refinedSchema, answer),
  };
}

const planSchema = z.object({
  intent: z.string().max(2_000).default(''),
  sections: z
    .array(
      z.object({
        title: z.string().min(1).max(300),
        points: z.array(z.string().max(1_000)).max(20).default([]),
      }),
    )
    .min(1)
    .max(20),
});

export function planChapter(context: ChapterContext): Operation<ChapterPlan> {
  const { book, chapter, passages, memory, minimum } = context;
  return {
    name: 'plan_chapter',
    tier: 'fast',
    system: prompts.EDITOR,
    prompt: [
      prompts.bookBrief(book),
      `Outline around it:\n${prompts.outlineAround(book, chapter.number)}`,
      prompts.chapterBrief(chapter),
      prompts.memoryBlock(memory),
      passagesBlock(passages),
      `Plan the chapter, at least ${minimum} words. Form: {"intent": "…", "sections": [{"title": "…", "points": ["…"]}]}`,
    ].join('\n\n'),
    schema: planSchema,
    read: (answer) => readJson(planSchema, answer),
  };
}

/** Writes the first draft (B13: `draft_or_revise_chapter`). */
export function draftChapter(context: ChapterContext): Operation<string> {
  const { book, chapter, passages, memory, plan, minimum } = context;
  return {
    name: 'draft_chapter',
    tier: 'main',
    system: prompts.WRITER,
    prompt: [
      prompts.bookBrief(book),
      `Outline around it:\n${prompts.outlineAround(book, chapter.number)}`,
      prompts.chapterBrief(chapter),
      prompts.memoryBlock(memory),
      passagesBlock(passages),
      prompts.planBlock(plan),
      `Write the chapter in markdown: at least ${minimum} words, sections with "## " headings, no title above them. Only the chapter.`,
    ].join('\n\n'),
    read: readProse,
  };
}

/**
 * Revises a draft: replaces the paragraphs that the review names, and inserts new ones (B13:
 * `draft_or_revise_chapter`).
 */
export function reviseChapter(
  context: ChapterContext,
  draft: string,
  review: ChapterReview,
  rejections: string[],
): Operation<ParagraphEdit[]> {
  return {
    name: 'revise_chapter',
    tier: 'main',
    system: `${prompts.WRITER}\n${REVISION_RULE}`,
    prompt: [
      prompts.bookBrief(context.book),
      prompts.chapterBrief(context.chapter),
      passagesBlock(context.passages),
      `The draft, each paragraph with its id:\n\n${numberedDraft(draft)}`,
      `The review:\n${prompts.reviewBlock(review, rejections)}`,
      REVISION_FORM,
    ].join('\n\n'),
    schema: revisionSchema,
    read: (answer) => editsOf(readJson(revisionSchema, answer)),
  };
}

const reviewSchema = z.object({
  score: z.number().min(0).max(100),
  should_revise: z.boolean(),
  comments: z.string().max(8_000).default(''),
});

export function reviewChapter(
  context: ChapterContext,
  draft: string,
): Operation<z.infer<typeof reviewSchema>> {
  return {
    name: 'review_chapter',
    tier: 'fast',
    system: prompts.EDITOR,
    prompt: [
      prompts.bookBrief(context.book),
      prompts.chapterBrief(context.chapter),
      `The draft:\n\n${draft}`,
      'Judge it as an editor: does it do what the outline asks, is it clear, is every statement supported? Form: {"score": 0 to 100, "should_revise": true or false, "comments": "…"}',
    ].join('\n\n'),
    schema: reviewSchema,
    read: (answer) => readJson(reviewSchema, answer),
  };
}
