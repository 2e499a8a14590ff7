import { readJson, readSections, type Operation } from '#kit/graph/structured.js';
import { promptOf, tagged } from '#kit/graph/tagged.js';
import { normalizeCitations } from '#writing/citation-forms.js';
import {
  COMPARE_RULE,
  findingLines,
  OWN_FINDINGS,
  PROOF_FORM,
  PROOF_RULE,
  reviewLines,
  short,
} from '#writing/proofs/reviewer.js';
import { isDisputed } from '#writing/proofs/proofs.js';
import { editsOf, numberedDraft, PATCH_RULE, revisionSchema } from '#writing/revision.js';
import type { ParagraphEdit } from '#writing/span-patch.js';
import {
  ANSWERED_FORM,
  ANSWERED_RULE,
  assessmentSchema,
  CONFLICTS_FORM,
  CONFLICTS_RULE,
} from '#writing/research/rounds.js';
import { z } from 'zod';
import { isFiction, type RuleReview } from '../graph/checks.js';
import { reviewerAnswerSchema, type ReviewerAnswer } from '../graph/reviewer.js';
import type { ChapterText } from '../graph/texts.js';
import type { Draft, Steering } from '../graph/state.js';
import {
  CHAPTER_SYSTEM,
  chapterPrefix,
  codexBlock,
  factsBlock,
  planBlock,
  type ChapterContext,
} from './context.js';
import { conflictsBlock, researchBlock } from './research.js';
import type { ChapterReview } from '../contract/review.js';

const NON_FICTION = `Rules for every sentence:
- Take every figure, date, name, quotation, comparison and causal claim from a passage, and end the sentence with the id of that passage, such as [^s2]. Several passages may support one sentence: [^s2][^s5]. Readers check these notes.
- Connecting prose, transitions and definitions that <brief> gives need no citation.
- Quote word for word, or do not use quotation marks.
- When passages disagree, say so and cite both.
- Leave out what no passage supports, also if the plan asks for it. A gap is useful to the author; an invented detail is not.
- Refer to what <told_so_far> tells in half a sentence; do not tell it again.
Craft: open with something concrete (a person, a scene, a figure). One idea in a paragraph, three to six sentences each. Vary the openings. Use active verbs and specific nouns. Say at the first mention who a person is and where a place lies, as far as the passages tell. Leave out filler ("It is important to note"), summaries that repeat, and lists where prose will do.
Example of a paragraph:
The harbour froze in January 1893, and for nine days no boat left it.[^s4] Bread was the first thing to run out. The baker, Olsen, blamed the council; the minutes blame the ice.[^s4][^s7]`;

const FICTION = `Rules for every scene:
- <codex> holds the people, places and rules of this world. Never contradict it. You may add to it: list each addition in <new_facts> with the sentence that introduces it.
- Stay inside the point of view and the tense that <brief> or the earlier chapters set.
- Dialogue carries conflict. Senses and action come before explanation. End each scene on a change.
- Refer to what <told_so_far> tells in half a sentence; do not tell it again.
- Write no notes and no citations.`;

/** Block with sample texts, whose style the chapter imitates and whose content it must not use. */
const toneBlock = ({ tone }: ChapterContext): string =>
  tone.length === 0
    ? ''
    : `${tagged('examples', tone.map((text) => text.slice(0, 1_500)).join('\n\n---\n\n'))}
Write in the manner of <examples>: its rhythm, choice of words and distance to the reader. Take no fact, name or sentence from it.`;

const rulesOf = ({ book }: ChapterContext): string => (isFiction(book.profile) ? FICTION : NON_FICTION);

const labelsOf = ({ passages }: ChapterContext): string[] => passages.map(({ label }) => label);

const citing = (context: ChapterContext, edits: ParagraphEdit[]): ParagraphEdit[] =>
  edits.map((edit) => ({ ...edit, text: normalizeCitations(edit.text, labelsOf(context)) }));

const planSchema = z.object({
  intent: z.string().max(2_000).default(''),
  sections: z
    .array(
      z.object({
        title: z.string().min(1).max(300),
        points: z.array(z.string().max(1_000)).max(20).default([]),
        passages: z.array(z.string().max(20)).max(30).default([]),
        words: z.number().int().min(0).max(20_000).optional(),
      }),
    )
    .min(1)
    .max(20),
});

/** The plan of a chapter, and what the passages answer of the questions of its research. */
const researchedPlanSchema = assessmentSchema
  .pick({ answered: true, conflicts: true })
  .extend(planSchema.shape);
type ResearchedPlan = z.infer<typeof researchedPlanSchema>;

/** Plans a chapter's sections. With questions, it compares these with the passages first: the last round of a research. */
export function planChapter(context: ChapterContext): Operation<ResearchedPlan> {
  const isAsked = (context.research?.questions.length ?? 0) > 0;
  return {
    name: 'plan_chapter',
    tier: 'fast',
    system: CHAPTER_SYSTEM,
    prompt: promptOf(
      chapterPrefix(context),
      researchBlock(context),
      `Task: plan the chapter to work on, for the writer who will draft it.${isAsked ? ' First compare <questions> with <passages>, one by one.' : ''}
${isAsked ? `${ANSWERED_RULE}\n${CONFLICTS_RULE}\n` : ''}- Give two to seven sections in the order in which a reader needs them. Start from the sections of <outline>, where it has any.
- Give each section the points that the passages support. "passages" holds the ids of all passages that tell something of the section, such as "s4": the writer sees these passages and no others.
- Give each section its target length in words; together ${context.minimum} or more where the passages tell that much, fewer where they do not. Give more words to what the passages tell in detail.
- Leave out points that no passage supports, questions that stay open, and points that <told_so_far> has told. Where sources disagree, plan to give both sides.
Answer with one JSON object and nothing else:
{${isAsked ? `${ANSWERED_FORM}, ${CONFLICTS_FORM}, ` : ''}"intent": "what the reader knows or feels at the end", "sections": [{"title": "…", "points": ["the ice of 1893"], "passages": ["s4", "s7"], "words": 400}]}`,
    ),
    schema: isAsked ? researchedPlanSchema : planSchema,
    read: (answer) => readJson(researchedPlanSchema, answer),
  };
}

/** Writes the first draft (B13: `draft_or_revise_chapter`). */
export function draftChapter(context: ChapterContext, others: ChapterText[]): Operation<Draft> {
  const isInvented = isFiction(context.book.profile);
  const length = isInvented
    ? `It has at least ${context.minimum} words: reach them with scenes, not with padding.`
    : `The author expects at least ${context.minimum} words. Reach them with what the passages tell. Where they tell less, write less: never pad or invent.`;
  const trailer = isInvented
    ? 'After the chapter, list additions to the codex, one a line, between <new_facts> and </new_facts>.'
    : 'After the chapter, list what the plan asks for and no passage supports, one a line, between <gaps> and </gaps>.';
  return {
    name: 'draft_chapter',
    tier: 'main',
    system: CHAPTER_SYSTEM,
    prompt: promptOf(
      chapterPrefix(context),
      codexBlock(context, others),
      planBlock(context.plan),
      conflictsBlock(context.research),
      toneBlock(context),
      rulesOf(context),
      `Task: write the chapter in markdown. Use the headings of <plan>, each as a "## " heading, in their order, and no others; no title above them.
${length}
Answer with the chapter only. ${trailer} The tags end your answer, also if nothing is between them.`,
    ),
    read(answer) {
      const { text, ...lists } = readDraft(answer);
      return { text: normalizeCitations(text, labelsOf(context)), ...lists };
    },
  };
}

const TRAILERS = ['gaps', 'new_facts'] as const;
const MAX_LISTED = 20;

/** Separates a draft from the lists of gaps and new facts that follow it, and drops what follows the lists. */
function readDraft(answer: string): Draft {
  const starts = TRAILERS.map((tag) => answer.lastIndexOf(`<${tag}>`)).filter((at) => at >= 0);
  const end = starts.length === 0 ? answer.length : Math.min(...starts);
  const listed = (tag: (typeof TRAILERS)[number]) =>
    (answer.slice(end).split(`<${tag}>`)[1] ?? '')
      .split(/<\/?(?:gaps|new_facts)>/)[0]!
      .split('\n')
      .map((line) =>
        line
          .replace(/^ {0,4}[-*] /, '')
          .trim()
          .slice(0, 500),
      )
      .filter((line) => line !== '')
      .slice(0, MAX_LISTED);
  return { text: readSections(answer.slice(0, end)), gaps: listed('gaps'), new_facts: listed('new_facts') };
}

const PATCH_FORM = `Answer with one JSON object and nothing else. ${PATCH_RULE}
Example: {"edits": [{"op": "replace", "paragraph_id": "3fa9c01b77", "text": "The harbour froze in January 1893.[^s4]"}, {"op": "insert_after", "paragraph_id": "77d0e2a914", "text": "Bread ran out first.[^s4]"}]}`;

/**
 * Revises a draft: replaces the paragraphs that the review names, and inserts new ones (B13:
 * `draft_or_revise_chapter`).
 */
export function reviseChapter(
  context: ChapterContext,
  draft: string,
  review: ChapterReview,
  steering: Steering | null,
): Operation<ParagraphEdit[]> {
  return {
    name: 'revise_chapter',
    tier: 'main',
    system: CHAPTER_SYSTEM,
    prompt: promptOf(
      chapterPrefix(context),
      planBlock(context.plan),
      tagged('draft', numberedDraft(draft)),
      tagged('review', reviewBlock(review, draft)),
      tagged('feedback', steering?.feedback ?? ''),
      tagged('rejections', rejectionLines(steering)),
      toneBlock(context),
      rulesOf(context),
      `Task: revise the draft, each paragraph with its id, so that the points of <review> are settled. Change the paragraphs that it names and no others; insert paragraphs only where it asks for more text or a missing point. ${isFiction(context.book.profile) ? 'Where the text contradicts <told_so_far> or itself, change the text.' : 'Where a statement has no source, cite the passage that supports it, or remove the statement; never replace it by another invention. Give no edit for a point that the passages do not let you settle.'}
<feedback> is what the author asked of this text before the review: do not undo it.
${PATCH_FORM}`,
    ),
    schema: revisionSchema,
    read: (answer) => citing(context, editsOf(readJson(revisionSchema, answer))),
  };
}

const steeredSchema = revisionSchema.extend({ cannot: z.array(z.string().max(1_000)).max(20).default([]) });
interface SteeredEdits {
  edits: ParagraphEdit[];
  /** Requests that the model could not fulfil, each with the reason. */
  cannot: string[];
}

/** Revises the present text of a chapter as its author asks. */
export function steerChapter(context: ChapterContext, steering: Steering): Operation<SteeredEdits> {
  return {
    name: 'revise_chapter',
    tier: 'main',
    system: CHAPTER_SYSTEM,
    prompt: promptOf(
      chapterPrefix(context),
      planBlock(context.plan),
      tagged('draft', numberedDraft(steering.present)),
      tagged('feedback', steering.feedback),
      tagged('rejections', rejectionLines(steering)),
      toneBlock(context),
      rulesOf(context),
      `Task: revise the present text in <draft>, each paragraph with its id, for its author.
- Do what <feedback> asks, and settle <rejections>: each was a change that the author refused, with the reason. Do not propose a refused change again.
- The author accepted or wrote these paragraphs: ${steering.kept.length === 0 ? 'none' : steering.kept.map((id) => `<<${id}>>`).join(' ')}. They stay as they are, unless <feedback> quotes them or names their id.
- Change as little as needed. Everything that nobody asked about stays word for word.
- List in "cannot" what is unclear or what no passage supports, with the reason, instead of guessing.
${PATCH_FORM}
With something that cannot be done: {"edits": [], "cannot": ["The passages do not say who built the pier."]}`,
    ),
    schema: steeredSchema,
    read(answer) {
      const { cannot, ...revision } = readJson(steeredSchema, answer);
      return { edits: citing(context, editsOf(revision)), cannot };
    },
  };
}

/** Reviews a draft: findings by paragraph, proofs of what the passages do not state word for word, then scores. */
export function reviewChapter(
  context: ChapterContext,
  given: { draft: string; rules: RuleReview; others: ChapterText[]; feedback?: string },
): Operation<ReviewerAnswer> {
  const { draft, rules, others, feedback = '' } = given;
  const mustProve = rules.findings.some(isDisputed);
  return {
    name: 'review_chapter',
    tier: 'main',
    system: CHAPTER_SYSTEM,
    prompt: promptOf(
      chapterPrefix(context),
      codexBlock(context, others),
      planBlock(context.plan),
      factsBlock(context, others),
      tagged('feedback', feedback),
      tagged('draft', numberedDraft(draft)),
      tagged('rule_findings', findingLines(rules.findings, draft)),
      `Task: review the draft of the chapter as a demanding editor who did not write it.
${isFiction(context.book.profile) ? '' : `${COMPARE_RULE}\n`}Compare the draft with <codex>, <facts> and <told_so_far>, then with <plan>. <feedback> is what the author asked of this text: do not object to it, and report what the draft ignores of it, although passages support it, as a missing point. A program has found what is in <rule_findings>; do not report it again.
${mustProve ? `${PROOF_RULE}\n` : ''}${OWN_FINDINGS} A draft without problems has no findings.
Then score from 0 to 100: 90 publishable as it is, 80 small edits, 60 a section must be rewritten, 40 the wrong chapter.
Answer with one JSON object and nothing else, findings before scores:
{"findings": [{"paragraph_id": "3fa9c01b77", "kind": "unsupported" or "contradiction" or "missing_point" or "repetition" or "continuity" or "structure" or "clarity" or "voice", "quote": "words of the draft", "why": "what is wrong, and what the passage says", "fix": "what to write instead", "severity": "severe" or "minor"}], ${mustProve ? `${PROOF_FORM}, ` : ''}"scores": {"support": 90, "coverage": 90, "continuity": 90, "structure": 90, "style": 90}}`,
    ),
    schema: reviewerAnswerSchema,
    read: (answer) => readJson(reviewerAnswerSchema, answer),
  };
}

/** Returns a review as text for the model that revises the chapter. */
const reviewBlock = (review: ChapterReview, draft: string): string =>
  [
    `Score ${review.score}. ${review.comments}`,
    ...guardrailWords(review),
    ...reviewLines(review.findings, draft),
  ].join('\n');

const GUARDRAIL_WORDS = {
  empty_content: '- It is empty.',
  no_section_heading: '- It needs a "## " heading.',
  changed_headings: '- Its "## " headings are not those of <plan>. Use these, word for word.',
  chat_remarks:
    '- It has remarks about itself, a title, or citations of another form. Remove them; cite as [^s1] only.',
  cut_end: '- It breaks off at the end. Finish the last paragraph.',
} as const;

function guardrailWords({ guardrails, words, minimum_words: minimum }: ChapterReview): string[] {
  return guardrails.map((guardrail) => {
    if (guardrail === 'too_short')
      return `- It has ${words} words; its author expects ${minimum}. Insert paragraphs with together about ${minimum - words} words for what the passages tell and the draft leaves out, each where it belongs. If nothing is left, it stays short.`;
    return GUARDRAIL_WORDS[guardrail];
  });
}

/** Changes that the author refused, with the reasons. */
function rejectionLines(steering: Steering | null): string {
  return (steering?.rejections ?? [])
    .map(({ before, after, reason }) =>
      [
        `- Refused: ${short(after) || '(the removal of a paragraph)'}`,
        before === '' ? '' : `  It stays: ${short(before)}`,
        `  Reason: ${reason ?? 'not given'}`,
      ]
        .filter(Boolean)
        .join('\n'),
    )
    .join('\n');
}
