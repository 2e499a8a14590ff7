import { oneLine, withoutHeadingMark } from '#contracts/text.js';
import type { Finding } from '#contracts/findings.js';
import { readJson, readSections, type Operation } from '#kit/graph/structured.js';
import { promptOf, tagged } from '#kit/graph/tagged.js';
import { headingsSchema } from '../contract/values.js';
import { normalizeCitations } from '#writing/citation-forms.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import { reviewLines } from '#writing/proofs/reviewer.js';
import { editsOf, numberedDraft, revisionSchema, rewordingOf, rewordingSchema } from '#writing/revision.js';
import type { ParagraphEdit } from '#writing/span-patch.js';
import { noteLabels, sentencesIn } from '#writing/sentences.js';
import { z } from 'zod';
import { plannedPassages, type ArticleState, type RejectedParagraph } from '../graph/state.js';
import * as prompts from './prompts.js';
import { notesBlock } from './research.js';

const MAX_PROBLEMS = 12;

const labelsOf = ({ passages }: ArticleState): string[] => passages.map(({ label }) => label);

const citing = (state: ArticleState, edits: ParagraphEdit[]): ParagraphEdit[] =>
  edits.map((edit) => ({ ...edit, text: normalizeCitations(edit.text, labelsOf(state)) }));

/**
 * Writes the research report (A6). An answer with uncited sentences is corrected once. If at least half of the sentences
 * of the correction cite a passage, it is used. Whether the passages say so is reviewed afterwards.
 */
export function writeReport(state: ArticleState): Operation<string> {
  const { headings } = state;
  let corrections = 0;
  return {
    name: 'research_report',
    tier: 'fast',
    system: prompts.DESK,
    prompt: promptOf(
      prompts.prefix(state),
      notesBlock(state),
      prompts.headingsBlock(headings),
      `Task: write the research report in markdown, for the editor who decides what the article will say. The editor has not read the passages.
- ${state.research_questions.length > 0 ? 'Report what the passages answer of <questions>, the answers that belong together in one section' : 'Ask what a practitioner, a sceptic and a newcomer would want to know of the topic, and report what the passages answer'}, under "## " headings${headings.length > 0 ? ', which are those of <headings>' : ''}.
- Every sentence ends with the id of the passage that supports it, such as [^s2]. Leave out sentences that none supports.
- Report figures, dates and names exactly. Where passages disagree, as in <conflicts>, put the sides next to each other with their ids and dates, and do not decide between them.
- End with what the passages do not answer as questions, if anything is missing. A question needs no note, unless it repeats a figure, a date or a name.
Answer with the report only.`,
    ),
    read(answer) {
      const report = normalizeCitations(readSections(answer), labelsOf(state));
      const sentences = sentencesIn(report);
      const uncited = sentences.filter(({ text }) => noteLabels(text).length === 0 && !text.endsWith('?'));
      const isMostlySound = corrections > 0 && uncited.length * 2 <= sentences.length;
      corrections++;
      if (uncited.length > 0 && !isMostlySound)
        throw new Error(
          uncited
            .slice(0, MAX_PROBLEMS)
            .map(({ text }) => `No source is cited in: ${text.slice(0, 200)}`)
            .join(' '),
        );
      return report;
    },
  };
}

const contentSchema = z.object({
  points: z.array(z.string().max(1_000)).max(20).default([]),
  labels: z.array(z.string().max(20)).max(30).default([]),
});
const headingsAnswer = z.object({
  headings: z.array(contentSchema.extend(headingsSchema.element.shape)).min(1).max(60),
});
export type ProposedHeading = z.infer<typeof headingsAnswer>['headings'][number];

/** Proposes headings for the article, each with its points and their passages, based on the report. */
export function proposeHeadings(state: ArticleState, report: string): Operation<ProposedHeading[]> {
  return {
    name: 'propose_headings',
    tier: 'fast',
    system: prompts.DESK,
    prompt: promptOf(
      prompts.brief(state),
      prompts.research(report),
      `Task: propose the headings of the article, each with its content: one of level 1, the title, then three to seven of level 2, or as few as its length asks for, and level 3 only where a section needs parts.
- Plan what <report> supports, in the order in which a reader needs it. Its notes, such as [^s2], name the passages.
- Headings name the subject ("The winter of 1893"), not its kind ("Introduction").
- Below the title, give each heading the points to make, each once, and in "labels" the ids of all passages that tell something of them: the writer sees these passages and no others.
${prompts.JSON_ONLY} Form: {"headings": [{"level": 1, "title": "…"}, {"level": 2, "title": "…", "points": ["…"], "labels": ["s2", "s5"]}]}`,
    ),
    schema: headingsAnswer,
    read: (answer) => readJson(headingsAnswer, answer).headings,
  };
}

const planSchema = z.object({
  sections: z
    .array(contentSchema.extend({ title: z.string().max(300) }))
    .min(1)
    .max(60),
});
export type PlannedSections = z.infer<typeof planSchema>['sections'];

/** Plans the content of each heading, and its passages. */
export function planArticle(state: ArticleState): Operation<PlannedSections> {
  return {
    name: 'plan_article',
    tier: 'fast',
    system: prompts.DESK,
    prompt: promptOf(
      prompts.prefix(state),
      prompts.research(state.research_report),
      prompts.headingsBlock(state.headings),
      `Task: plan the article. Say for each heading below the title which points to make, and from which passages.
- "title" repeats the heading word for word. "labels" holds the ids of all passages that tell something of it, such as "s1": the writer sees these passages and no others.
- Make each point once, under the heading where the reader needs it. A heading that no passage supports gets no points.
${prompts.JSON_ONLY} Form: {"sections": [{"title": "…", "points": ["…"], "labels": ["s1"]}]}`,
    ),
    schema: planSchema,
    read: (answer) => readJson(planSchema, answer).sections,
  };
}

/** Writes the first draft. */
export function writeDraft(article: ArticleState): Operation<string> {
  const state = { ...article, passages: plannedPassages(article) };
  return {
    name: 'author_draft',
    tier: 'main',
    system: prompts.DESK,
    prompt: promptOf(
      prompts.prefix(state),
      prompts.planBlock(state.headings.slice(0, 1), state.sections),
      prompts.SOURCES_RULE,
      prompts.CRAFT,
      `Task: write the article in markdown. Use the headings of <plan>, word for word, in their order and with their levels, and no others. Give more room to what the passages tell in detail.
Answer with the article only.`,
    ),
    read(answer) {
      const draft = normalizeCitations(readSections(answer), labelsOf(state));
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

const bare = (heading: string): string => oneLine(withoutHeadingMark(heading)).toLowerCase();

/** Revises the draft by span patch: the rejected paragraphs, or what the feedback is about. */
export function reviseDraft(state: ArticleState, draft: string): Operation<ParagraphEdit[]> {
  return {
    name: 'revise_article',
    tier: 'main',
    system: prompts.DESK,
    prompt: promptOf(
      prompts.prefix(state),
      tagged('draft', numberedDraft(draft)),
      revisionRequest(state.human_feedback, state.rejected_paragraphs),
      tagged('review', reviewLines(state.draft_findings, draft).join('\n')),
      prompts.SOURCES_RULE,
      `Task: revise the draft, each paragraph with its id, as <feedback> asks. Change as little as needed.
<review> is what the editor read beside the draft: settle its points as well, in the paragraphs that you may change, where the passages let you.
${prompts.PATCH_FORM}`,
    ),
    schema: revisionSchema,
    read: (answer) => citing(state, editsOf(readJson(revisionSchema, answer))),
  };
}

function revisionRequest(feedback: string, paragraphs: RejectedParagraph[]): string {
  if (paragraphs.length === 0) return tagged('feedback', `The editor asks: ${feedback}`);
  const asked = paragraphs.map(
    ({ paragraph_id: id, reason }) => `- <<${id}>>: ${reason ?? 'write it differently'}`,
  );
  return tagged(
    'feedback',
    `The editor did not accept these paragraphs; change these only:\n${asked.join('\n')}`,
  );
}

/** Corrects a new draft where the rules found statements without a source, or words that no source has. */
export function correctDraft(
  article: ArticleState,
  draft: string,
  findings: Finding[],
): Operation<ParagraphEdit[]> {
  const state = { ...article, passages: plannedPassages(article, draft) };
  return {
    name: 'correct_article',
    tier: 'main',
    system: prompts.DESK,
    prompt: promptOf(
      prompts.prefix(state),
      tagged('draft', numberedDraft(draft)),
      tagged('rule_findings', reviewLines(findings, draft).join('\n')),
      prompts.SOURCES_RULE,
      `Task: correct the draft, each paragraph with its id, where <rule_findings> says so, and nowhere else. Cite the passage that supports the statement, say what the passage says, or remove the statement.
${prompts.PATCH_FORM}`,
    ),
    schema: revisionSchema,
    read: (answer) => citing(state, editsOf(readJson(revisionSchema, answer))),
  };
}

/** Adapts the named paragraphs of the draft to the style of the corpus, by span patch. */
export function styleDraft(
  state: ArticleState,
  draft: string,
  named: ReadonlySet<string>,
): Operation<ParagraphEdit[]> {
  return {
    name: 'author_style',
    tier: 'main',
    system: prompts.STYLIST,
    prompt: promptOf(
      prompts.examples(state.style_fragments),
      tagged('draft', numberedDraft(draft, named)),
      `Task: reword the paragraphs of the draft, each paragraph with its id, that differ from the style of <examples>: length and rhythm of sentences, choice of words, how the reader is addressed. Leave the others out, and headings and code.
${prompts.REWORDING_FORM}`,
    ),
    schema: rewordingSchema,
    read: (answer) => rewordingOf(readJson(rewordingSchema, answer)),
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

const lastRound = ({ human_feedback: feedback }: ArticleState): string =>
  feedback === '' ? '' : tagged('feedback', `The author did not accept the last round: ${feedback}`);

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
    prompt: promptOf(
      isGeneral(state) ? '' : prompts.examples(state.style_fragments),
      tagged('text', state.user_text),
      lastRound(state),
      `Task: say where the text ${isGeneral(state) ? prompts.GENERAL_FAULTS : 'differs from the style of the examples'}. Quote the words exactly, as short as the remark allows; the author sees the remark at these words. A text without faults has no remarks.
Form: {"remarks": [{"quote": "words of the text", "reason": "what is wrong, in one sentence", "suggestion": "the words that replace them"}]}`,
    ),
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
    system: isGeneral(state) ? prompts.GENERAL_STYLIST : prompts.STYLIST,
    prompt: promptOf(
      isGeneral(state) ? '' : prompts.examples(state.style_fragments),
      tagged('text', numberedDraft(text)),
      tagged('remarks', remarks.slice(0, 100).join('\n')),
      lastRound(state),
      `Task: correct the paragraphs that <remarks> speaks of; leave the others out.
${prompts.REWORDING_FORM}`,
    ),
    schema: rewordingSchema,
    read: (answer) => rewordingOf(readJson(rewordingSchema, answer)),
  };
}
