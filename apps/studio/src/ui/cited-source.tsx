import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/i18n';
import { RouteAnchor } from './route-links';

/** A source that a text cites. Fields are absent in results of older releases. */
export interface Cited {
  label: string;
  title: string;
  author?: string | null | undefined;
  /** Date of publication. */
  date?: string | null | undefined;
  /** Address of the page whose copy was read; null for other sources. */
  url?: string | null | undefined;
  /** When the page was read. */
  fetched_at?: string | null | undefined;
  /** The stored text, and the position of the passage in it. */
  collection_id?: string | null | undefined;
  source_id?: string | null | undefined;
  span?: { start: number; end: number } | null | undefined;
}

/** Shows a source with author and date; its title opens the stored copy at the passage. */
export const CitedSource = ({ source, children }: { source: Cited; children?: ReactNode }) => (
  <Text size="sm">
    [{source.label}] <CopyLink source={source} /> <SourceFacts source={source} />
    {children}
  </Text>
);

/** Shows author and date of a source, and a link to its page. */
export function SourceFacts({ source }: { source: Omit<Cited, 'label' | 'title'> }) {
  const { t } = useTranslation();
  const { author, date, url, fetched_at: fetched } = source;
  return (
    <>
      {[author, date ?? t('cited.undated')].filter(Boolean).join(', ')}
      {url && /^https?:/.test(url) && (
        <>
          {' · '}
          <Anchor href={url} size="sm" underline="always" target="_blank" rel="noreferrer noopener">
            {t('cited.page')}
          </Anchor>
          {fetched && ` (${t('cited.fetched', { date: fetched.slice(0, 10) })})`}
        </>
      )}
    </>
  );
}

/** The title of a source; a link if its text is stored. */
export function CopyLink({ source: { title, collection_id, source_id, span } }: { source: Cited }) {
  if (!collection_id || !source_id) return <strong>{title}</strong>;
  return (
    <RouteAnchor
      size="sm"
      underline="always"
      to="/knowledge/$collectionId/sources/$sourceId"
      params={{ collectionId: collection_id, sourceId: source_id }}
      search={span ? { from: span.start, to: span.end } : {}}
    >
      {title}
    </RouteAnchor>
  );
}
