import { withoutNotes } from './sentences.js';
import { oneLine, withoutHeadingMark } from '#contracts/text.js';
import type { CitedPassage } from './citations.js';
import { splitParagraphs, type Paragraph } from './paragraphs.js';

/** A quoted passage with its author. */
export interface QuotedPassage extends CitedPassage {
  author: string | null;
}

/** Returns the title of the section of a source to which a passage belongs. */
export const sectionTitle = ({
  heading_path: path,
  source_title,
}: Pick<CitedPassage, 'heading_path' | 'source_title'>): string => path[1] ?? path[0] ?? source_title;

/**
 * Compiles a text from passages: each is quoted word for word and cited, under the headings of its source.
 * Only the origin of the passages is added (B13). Every paragraph has a footnote mark.
 */
export function compilePassages(passages: QuotedPassage[]): string {
  const parts: string[] = [];
  let section = '';
  let source = '';
  const used = new Map<string, number>();
  for (const passage of passages) {
    const title = sectionTitle(passage);
    if (title !== section || passage.source_id !== source) {
      const times = (used.get(title) ?? 0) + (title === section ? 0 : 1);
      used.set(title, times);
      if (title !== section)
        parts.push(`## ${oneLine(times > 1 ? `${title} (${passage.source_title})` : title)}`);
      const author = passage.author === null ? '' : `, ${oneLine(passage.author)}`;
      parts.push(`*From “${oneLine(passage.source_title)}”${author}:*[^${passage.label}]`);
      [section, source] = [title, passage.source_id];
    }
    parts.push(...quoted(passage));
  }
  return parts.length === 0 ? '' : `${parts.join('\n\n')}\n`;
}

/**
 * Returns the blocks of a passage. Headings that already appear above it are dropped; others become level 3.
 */
function quoted({ text, label, heading_path: path }: QuotedPassage): string[] {
  return splitParagraphs(text).flatMap((block) => {
    if (block.kind === 'front_matter' || block.kind === 'footnote') return [];
    if (block.kind !== 'heading') return [cited(block, label)];
    const title = headingWords(block.text);
    return path.slice(0, 2).includes(title) ? [] : [`### ${title}`];
  });
}

function cited({ kind, text }: Paragraph, label: string): string {
  const bare = withoutNotes(text).trimEnd();
  return kind === 'code' || kind === 'table' ? `${bare}\n\n*Source:*[^${label}]` : `${bare}[^${label}]`;
}

const headingWords = (text: string): string =>
  oneLine(withoutHeadingMark(text).replace(/\n[ \t]*[=-]+[ \t]*$/, '')).replace(/ #{1,80}$/, '');
