import { Stack, Text } from '@mantine/core';
import { useTranslation } from '../../../i18n/i18n';
import type { ChapterText } from '../../../api/chapters';
import { CitedSource, type Cited } from '../../../ui/cited-source';

export type Citation = ChapterText['citations'][number];

/** Returns a citation of a chapter in the form of `CitedSource`. */
export const citedOf = ({ source_title: title, ...citation }: Citation): Cited => ({ ...citation, title });

/**
 * Returns the text of a chapter with a footnote for each citation: the title of its source. In the stored
 * text, citations are only marked.
 */
export function withNotes(content: string, citations: Citation[]): string {
  const notes = citations
    .filter(({ label }) => content.includes(`[^${label}]`) && !content.includes(`[^${label}]:`))
    .map(({ label, source_title: title }) => `[^${label}]: ${title.replaceAll(/[\\`*_[\]<>]/g, '\\$&')}`);
  return notes.length === 0 ? content : `${content}\n\n${notes.join('\n\n')}\n`;
}

/** Lists the passages that a chapter cites; each opens at its place in the stored source. */
export function Citations({ citations }: { citations: Citation[] }) {
  const { t } = useTranslation();
  if (citations.length === 0) return <Text c="dimmed">{t('cited.none')}</Text>;
  return (
    <Stack gap="sm">
      {citations.map((citation) => (
        <div key={citation.label}>
          <CitedSource source={citedOf(citation)} />
          <div className="verbatim passage">{citation.text}</div>
        </div>
      ))}
    </Stack>
  );
}
