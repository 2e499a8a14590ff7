import type { ChapterCitation } from '../contract/review.js';
import { splitParagraphs } from '#writing/paragraphs.js';

/** A chapter of a book to assemble. */
export interface BookChapterText {
  number: number;
  title: string;
  content: string;
  citations: ChapterCitation[];
}

interface BookFrontMatter {
  title: string;
  subtitle?: string;
  language?: string;
  author?: string;
}

/**
 * Assembles the markdown text of a whole book: front matter, a level-1 heading for each chapter, citations as
 * footnotes and a bibliography (B12). The words of the chapters are not changed, except for footnote labels,
 * which become unique. Deterministic.
 */
export function assembleBook(front: BookFrontMatter, chapters: BookChapterText[]): string {
  const parts = [frontMatter(front)];
  for (const chapter of chapters) {
    parts.push(`# ${oneLine(chapter.title)}`, chapterBody(chapter).trim());
    parts.push(...notesOf(chapter));
  }
  parts.push(...bibliography(chapters, front.language));
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function frontMatter({ title, subtitle, language, author }: BookFrontMatter): string {
  const fields = { title, subtitle, author, lang: language };
  const lines = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : `${key}: ${JSON.stringify(oneLine(value))}`,
  );
  return `---\n${lines.join('\n')}\n---`;
}

/** Makes footnote labels unique within the book; code is not changed. */
function chapterBody({ number, content, citations }: BookChapterText): string {
  const known = new Set(citations.map(({ label }) => label));
  let text = '';
  let at = 0;
  for (const { kind, start, end } of splitParagraphs(content)) {
    const block = content.slice(start, end);
    const renamed =
      kind === 'code'
        ? block
        : block.replace(/\[\^([^\]\s]{1,80})\]/g, (mark, label: string) =>
            known.has(label) ? `[^c${number}-${label}]` : mark,
          );
    text += content.slice(at, start) + renamed;
    at = end;
  }
  return text + content.slice(at);
}

function notesOf({ number, content, citations }: BookChapterText): string[] {
  return citations
    .filter(({ label }) => content.includes(`[^${label}]`))
    .map(({ label, heading_path, ...source }) => {
      const place = heading_path.length > 0 ? `, “${escape(heading_path.join(' › '))}”` : '';
      const by = source.author === null ? '' : `${escape(source.author)}, `;
      return `[^c${number}-${label}]: ${by}*${escape(source.source_title)}*${place}${origin(source)}.`;
    });
}

/** Returns date of publication and address of a source, as far as they are known. */
const origin = ({ date, url }: Pick<ChapterCitation, 'date' | 'url'>): string =>
  `${date === null ? '' : ` (${escape(date)})`}${url === null ? '' : `, <${url}>`}`;

function bibliography(chapters: BookChapterText[], language = 'en'): string[] {
  const sources = new Map<string, string>();
  for (const source of chapters.flatMap(({ citations }) => citations)) {
    const by = source.author === null ? '' : `${escape(source.author)}: `;
    sources.set(source.source_id, `- ${by}*${escape(source.source_title)}*${origin(source)}`);
  }
  if (sources.size === 0) return [];
  const title = language.startsWith('pl')
    ? 'Bibliografia'
    : language.startsWith('de')
      ? 'Literatur'
      : 'Bibliography';
  const entries = [...new Set(sources.values())].sort((a, b) => (a < b ? -1 : 1));
  return [`# ${title}`, entries.join('\n')];
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
const escape = (text: string): string => oneLine(text).replace(/[\\`*_[\]<>]/g, '\\$&');
