import type { FoundPassage } from '../graph/ports.js';
import { chunkText } from '#knowledge/chunk/chunk-text.js';
import { rankTexts } from '#knowledge/rank-texts.js';
import { createHash } from 'node:crypto';
import type { ExaPage } from './exa-answer.js';

/** Maximum number of passages per page, so that no page dominates. */
const OF_PAGE = 2;

/** Runs in a thread. Returns the passages that match the query best; pages keep their order. */
export default function passagesOf({
  query,
  pages,
  limit,
}: {
  query: string;
  pages: ExaPage[];
  limit: number;
}) {
  return pages.flatMap((page) => passagesOfPage(query, page)).slice(0, limit);
}

function passagesOfPage(
  query: string,
  { url, title, author, date = null, text, summary }: ExaPage,
): FoundPassage[] {
  const chunks = chunkText(text);
  const ranked = rankTexts(
    query,
    chunks.map(({ start, end }) => text.slice(start, end)),
    { k: OF_PAGE },
  ).map(({ index }) => index);
  const best = ranked.length > 0 ? ranked : [0];
  return best
    .sort((a, b) => a - b)
    .flatMap((index) => {
      const chunk = chunks[index];
      if (!chunk) return [];
      const { start, end, headingPath } = chunk;
      const id = createHash('sha256').update(`${url}#${start}`).digest('hex').slice(0, 24);
      const place = { span: { start, end }, heading_path: headingPath };
      return [
        {
          id,
          url,
          source_id: url,
          source_title: title,
          author,
          kind: 'web' as const,
          date,
          text: text.slice(start, end),
          ...place,
          summary,
        },
      ];
    });
}
