import { isActive, withOverruled } from '#contracts/findings.js';
import { askModel, withStage, stepKey } from '#kit/graph/node.js';
import { citeSources } from '#writing/citations.js';
import { splitParagraphs } from '#writing/paragraphs.js';
import { applyPatch, type ParagraphEdit } from '#writing/span-patch.js';
import { countWords } from '#writing/words.js';
import { correctDraft, reviseDraft, styleDraft, writeDraft } from '../../prompts/operations.js';
import { checkArticle, reviewCitations } from '../citations.js';
import type { ArticlePorts } from '../ports.js';
import type { ArticleNodeFunction, ArticleState, ArticleUpdate } from '../state.js';
import { hardTokens } from '#verbatim/source/tokens.js';
import { noteLabels, withoutNotes } from '#writing/sentences.js';

/** A3, A4: writes the first draft, or revises the rejected one. */
export function authorDraft(ports: ArticlePorts): ArticleNodeFunction {
  return async (state, config) => {
    if (state.iteration_count > 0) return revise(ports, state, config);
    const draft = await askModel(ports, writeDraft(state), config);
    if (draft !== null) return withSources(ports, state, draft, config);
    const title = state.headings[0]?.title ?? state.topic;
    return {
      raw_draft: await ports.rules.call('article', title, state.sections, state.passages),
      fallback_stages: withStage(state.fallback_stages, 'author_draft'),
    };
  };
}

/** A6: lets the model correct the paragraphs of a draft with words that no source has, or without a source, once. */
async function withSources(
  ports: ArticlePorts,
  state: ArticleState,
  draft: string,
  config: Parameters<ArticleNodeFunction>[1],
): Promise<ArticleUpdate> {
  const problems = async (text: string) =>
    (await checkArticle(ports, state, text)).filter((found) => isActive(found) && found.severity !== 'info');
  const found = await problems(draft);
  const named = new Set(found.flatMap(({ paragraph_id: id }) => (id === null ? [] : [id])));
  if (named.size === 0) return { raw_draft: draft };
  const edits = await askModel(ports, correctDraft(state, draft, found), config);
  if (edits === null) return { raw_draft: draft };
  const corrected = applyPatch(draft, edits, named).text;
  const left = await problems(corrected);
  return { raw_draft: left.length < found.length ? corrected : draft };
}

/**
 * Revises the draft by span patch. If single paragraphs were rejected, everything else stays byte-identical.
 * Without a model, rejected paragraphs are removed and other feedback is ignored, but a person can return an
 * edited text.
 */
async function revise(
  ports: ArticlePorts,
  state: ArticleState,
  config: Parameters<ArticleNodeFunction>[1],
): Promise<ArticleUpdate> {
  const draft = state.styled_draft;
  const named = state.rejected_paragraphs.map(({ paragraph_id: id }) => id);
  const edits = await askModel(ports, reviseDraft(state, draft), config);
  const removal = named.map((paragraph_id): ParagraphEdit => ({ op: 'replace', paragraph_id, text: '' }));
  const { text } = applyPatch(draft, edits ?? removal, named.length > 0 ? new Set(named) : null);
  return {
    raw_draft: text,
    fallback_stages: withStage(state.fallback_stages, edits === null ? 'revise_article' : null),
  };
}

/**
 * A3, A9: adapts the draft to the style of the corpus. A revision adapts only the new paragraphs. Drops
 * rewordings that would change a figure, name, quotation or citation. A draft that only quotes sources keeps
 * their words.
 */
export function authorStyle(ports: ArticlePorts): ArticleNodeFunction {
  return async (state, config) => {
    const raw = state.raw_draft;
    const corpus = await ports.style.texts();
    const isQuoted = state.fallback_stages.includes('author_draft');
    const byModel = !isQuoted || state.iteration_count > 0;
    const fresh = freshParagraphs(raw, state.styled_draft);
    const canStyle = state.style_fragments.length > 0 && fresh.size > 0 && !isQuoted;
    const edits = canStyle ? await askModel(ports, styleDraft(state, raw, fresh), config) : null;
    const styled = edits ? applyPatch(raw, faithful(raw, edits), fresh).text : raw;
    const review = await ports.rules.call('style', styled, corpus);
    const { findings, stage } = await reviewCitations(ports, state, styled, byModel, config);
    ports.emit({
      type: 'draft_written',
      data: { words: countWords(styled), iteration_count: state.iteration_count },
      effectKey: `${stepKey(config)}/draft_written`,
    });
    return {
      styled_draft: styled,
      draft_findings: findings,
      style_annotations: withOverruled(review?.report.annotations ?? [], await ports.overruled()),
      article_key: await ports.keep(citeSources(styled, state.research_sources)),
      fallback_stages: withStage(
        withStage(state.fallback_stages, canStyle && edits === null ? 'author_style' : null),
        stage,
      ),
    };
  };
}

/** Returns the ids of paragraphs that the previous draft lacks; all ids for a first draft. */
function freshParagraphs(draft: string, before: string): Set<string> {
  const old = new Set(splitParagraphs(before).map(({ id }) => id));
  return new Set(splitParagraphs(draft).flatMap(({ id }) => (old.has(id) ? [] : [id])));
}

/**
 * Returns the rewordings (`rewordingOf`) that preserve hard tokens. Drops edits of headings, code and front matter, to which
 * style does not apply.
 */
export function faithful(text: string, edits: ParagraphEdit[]): ParagraphEdit[] {
  const byId = new Map(splitParagraphs(text).map((paragraph) => [paragraph.id, paragraph]));
  return edits.filter(({ paragraph_id: id, text: words }) => {
    const paragraph = byId.get(id);
    if (!paragraph) return false;
    if (['heading', 'code', 'front_matter'].includes(paragraph.kind)) return false;
    return keepsHardTokens(paragraph.text, words);
  });
}

/**
 * Returns whether a reworded paragraph has exactly the same hard tokens as the original: figures, dates,
 * certain names, quotations, addresses, code and, however often, citations (A7).
 */
export function keepsHardTokens(before: string, after: string): boolean {
  return tokenList(before) === tokenList(after);
}

function tokenList(text: string): string {
  const tokens = hardTokens(withoutNotes(text))
    .filter(({ kind, uncertain }) => !uncertain && kind !== 'negation')
    .map(({ kind, key }) => `${kind} ${key}`);
  // Each part of a divided sentence repeats its note.
  const notes = new Set(noteLabels(text));
  return [...tokens, ...[...notes].map((label) => `note ${label}`)].sort().join('\n');
}
