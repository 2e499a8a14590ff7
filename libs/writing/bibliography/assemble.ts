import { NOTE } from '../sentences.js';
import { oneLine } from '#contracts/text.js';
import type { CitationStyle } from '#contracts/bibliography-names.js';
import {
  citesInNotes,
  mainLanguage,
  pageLabel,
  type Citation,
  type CitationRequest,
  type Reference,
  type WrittenCitations,
} from '#contracts/bibliography.js';
import { splitParagraphs, type Paragraph } from '../paragraphs.js';
import type { CopiedPart } from './published-texts.js';

/** A citation of a text, by the label of its footnote marks. */
export interface LabelledCitation {
  label: string;
  source_id: string;
  reference: Reference;
  /** Author as stored, for the plain form; null if it is unknown. */
  author: string | null;
  /** Page or range of pages of the passage; null if it is unknown. */
  page: string | null;
  heading_path: string[];
}

/** A text with its citations: a chapter, or an article. */
export interface CitedText {
  /** Title to write above the text; null if the text contains its own. */
  title: string | null;
  content: string;
  citations: LabelledCitation[];
  /** Makes the labels of the text unique. */
  prefix: string;
}

export interface FrontMatter {
  title: string;
  subtitle?: string;
  language?: string;
  author?: string;
}

const BIBLIOGRAPHY: Record<string, string> = { de: 'Literatur', pl: 'Bibliografia' };

/** Returns the heading of a bibliography. */
export const bibliographyTitle = (language = 'en'): string =>
  BIBLIOGRAPHY[mainLanguage(language)] ?? 'Bibliography';

/** Returns what `assemble` needs to have written in a style: the citations of the texts, in their order. */
export function citationRequest(texts: CitedText[], style: CitationStyle, language = 'en'): CitationRequest {
  const works = new Map(
    texts.flatMap(({ citations }) => citations).map(({ source_id, reference }) => [source_id, reference]),
  );
  return {
    style,
    language,
    works: [...works].map(([source_id, reference]) => ({ source_id, reference })),
    groups: texts.flatMap((text) => groupsOf(text, style)),
  };
}

/**
 * Assembles the Markdown of a publication: front matter, the texts, notes and a bibliography (B12). The words of the
 * texts are not changed, except for footnote marks, which become unique, or citations in the text. Deterministic.
 *
 * @param written the citations in the requested style; null for notes in the plain form
 * @param level heading level of the bibliography
 * @returns the Markdown, and which parts of each text it contains unchanged
 */
export function assemble(
  front: FrontMatter,
  texts: CitedText[],
  written: { style: CitationStyle; citations: WrittenCitations } | null = null,
  level = 1,
): { markdown: string; copied: CopiedPart[][] } {
  const { language } = front;
  const style = written?.style ?? null;
  const groups = written?.citations.groups.values();
  let markdown = frontMatter(front);
  const add = (part: string) => {
    if (part !== '') markdown += `\n\n${part}`;
    return markdown.length - part.length;
  };
  const copied = texts.map((text) => {
    if (text.title !== null) add(`# ${oneLine(text.title)}`);
    const next = () => groups?.next().value ?? '';
    const inNotes = citesInNotes(style);
    const changed = replaced(text.content, inNotes ? uniqueMarks(text) : writtenGroups(text, next));
    const start = add(changed.text);
    for (const citation of inNotes ? citedOnce(text, style) : []) {
      const note = groups ? next() : plainNote(citation, language);
      add(`[^${text.prefix}${citation.label}]: ${note}`);
    }
    return changed.copied.map((part) => ({ ...part, at: start + part.at }));
  });
  const entries = written?.citations.bibliography ?? plainBibliography(texts);
  if (entries.length > 0) {
    add(`${'#'.repeat(level)} ${bibliographyTitle(language)}`);
    // Numbers of the numeric style take the place of bullets.
    add(style === 'numeric' ? entries.join('\n\n') : entries.map((entry) => `- ${entry}`).join('\n'));
  }
  return { markdown: `${markdown}\n`, copied };
}

function frontMatter({ title, subtitle, language, author }: FrontMatter): string {
  const fields = { title, subtitle, author, lang: language };
  const lines = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : `${key}: ${JSON.stringify(oneLine(value))}`,
  );
  return `---\n${lines.join('\n')}\n---`;
}

/** A part of a text, and what a publication contains instead. */
interface Replacement {
  start: number;
  end: number;
  text: string;
}

/** Returns what replaces parts of the blocks; code stays, and footnotes of the citations are removed. */
function replacements(
  { content, citations }: CitedText,
  inBlock: (block: string) => Replacement[],
): Replacement[] {
  const labels = new Set(citations.map(({ label }) => label));
  return splitParagraphs(content).flatMap((paragraph) => {
    const { kind, start, end } = paragraph;
    if (isNoteOf(paragraph, labels)) return [{ start, end, text: '' }];
    if (kind === 'code') return [];
    return inBlock(content.slice(start, end)).map((part) => ({
      ...{ start: start + part.start, end: start + part.end, text: part.text },
    }));
  });
}

/** Returns a text with the replacements and without blanks around it, and its parts that were not replaced. */
function replaced(content: string, all: readonly Replacement[]): { text: string; copied: CopiedPart[] } {
  const parts: CopiedPart[] = [];
  let text = '';
  let from = 0;
  for (const { start, end, text: by } of [...all, { start: content.length, end: content.length, text: '' }]) {
    parts.push({ at: text.length, from, length: start - from });
    text += content.slice(from, start) + by;
    from = end;
  }
  const trimmed = text.trim();
  const first = text.length - text.trimStart().length;
  const copied = parts.flatMap((part) => {
    const [at, end] = [Math.max(part.at, first), Math.min(part.at + part.length, first + trimmed.length)];
    return end < at ? [] : [{ at: at - first, from: part.from + at - part.at, length: end - at }];
  });
  return { text: trimmed, copied };
}

function isNoteOf({ kind, text }: Paragraph, labels: ReadonlySet<string>): boolean {
  const [, label] = /^ {0,3}\[\^([^\]\s]{1,80})\]:/.exec(text) ?? [];
  return kind === 'footnote' && label !== undefined && labels.has(label);
}

/** Makes the footnote labels unique. */
function uniqueMarks(text: CitedText): Replacement[] {
  const known = new Set(text.citations.map(({ label }) => label));
  return replacements(text, (block) =>
    [...block.matchAll(NOTE)].flatMap(({ 0: mark, 1: label, index }) =>
      known.has(label!)
        ? [{ start: index, end: index + mark.length, text: `[^${text.prefix}${label}]` }]
        : [],
    ),
  );
}

/** Returns the citations whose marks the text contains. */
const citedOnce = ({ content, citations }: CitedText, style: CitationStyle | null): LabelledCitation[] => {
  const cited = citations.filter(({ label }) => content.includes(`[^${label}]`));
  // Short notes follow full ones, so notes in a style are in the order of the marks.
  return style === null
    ? cited
    : cited.sort((a, b) => content.indexOf(`[^${a.label}]`) - content.indexOf(`[^${b.label}]`));
};

function groupsOf(text: CitedText, style: CitationStyle): Citation[][] {
  if (citesInNotes(style)) return citedOnce(text, style).map((citation) => [placeOf(citation)]);
  const groups: Citation[][] = [];
  writtenGroups(text, (cited) => {
    groups.push(cited.map(placeOf));
    return '';
  });
  return groups;
}

const placeOf = ({ source_id, page, heading_path: path }: LabelledCitation): Citation => ({
  source_id,
  page,
  section: path.join(' › '),
});

/** Replaces adjacent marks by a citation, before the end of the sentence. */
function writtenGroups(text: CitedText, write: (cited: LabelledCitation[]) => string): Replacement[] {
  const byLabel = new Map(text.citations.map((citation) => [citation.label, citation]));
  return replacements(text, (block) => {
    let at = 0;
    return markGroups(block).flatMap(({ start, end, labels }) => {
      const cited = [...new Set(labels)].flatMap((label) => byLabel.get(label) ?? []);
      if (cited.length < new Set(labels).size) return [];
      const before = block.slice(at, start).trimEnd();
      const stop = /[.,;:]$/.exec(before)?.[0] ?? '';
      const from = at + before.length - stop.length;
      at = end;
      return [{ start: from, end, text: ` ${write(cited)}${stop}` }];
    });
  });
}

interface MarkGroup {
  start: number;
  end: number;
  labels: string[];
}

/** Finds the footnote marks of a block; those next to each other are one group. */
function markGroups(block: string): MarkGroup[] {
  const groups: MarkGroup[] = [];
  for (const { 0: mark, 1: label, index } of block.matchAll(NOTE)) {
    const last = groups.at(-1);
    const end = index + mark.length;
    if (last && /^[ ,]{0,2}$/.test(block.slice(last.end, index))) {
      last.labels.push(label!);
      last.end = end;
    } else groups.push({ start: index, end, labels: [label!] });
  }
  return groups;
}

/** Writes a note in the plain form: author, title, place, date and address, as far as they are known. */
function plainNote(citation: LabelledCitation, language = 'en'): string {
  const { reference, author, heading_path: path, page } = citation;
  const section = path.length > 0 ? `, “${escape(path.join(' › '))}”` : '';
  const at = page === null ? '' : `, ${pageLabel(page, language)}`;
  const by = author === null ? '' : `${escape(author)}, `;
  return `${by}*${escape(reference.title ?? '')}*${section}${at}${origin(reference)}.`;
}

/** Returns date of publication and address of a source, as far as they are known. */
const origin = ({ issued, url }: Reference): string =>
  `${issued === undefined ? '' : ` (${escape(issued)})`}${url === undefined ? '' : `, <${url}>`}`;

function plainBibliography(texts: CitedText[]): string[] {
  const sources = new Map<string, string>();
  for (const { source_id: id, reference, author } of texts.flatMap(({ citations }) => citations)) {
    const by = author === null ? '' : `${escape(author)}: `;
    sources.set(id, `${by}*${escape(reference.title ?? '')}*${origin(reference)}`);
  }
  return [...new Set(sources.values())].sort((a, b) => (a < b ? -1 : 1));
}

const escape = (text: string): string => oneLine(text).replace(/[\\`*_[\]<>]/g, '\\$&');
