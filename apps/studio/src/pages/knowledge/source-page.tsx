import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useMemo, useState } from 'react';
import { Anchor, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/i18n';
import { collectionQuery, sourcesOf, sourceText, type Source } from '../../api/knowledge';
import { useMay } from '../../api/session';
import { useCollectionName } from '../../ui/collection-name';
import { PageHeader } from '../../ui/page-header';
import { lazyPart } from '../../ui/lazy-part';
import { ready } from '../../ui/ready';

/** Shows the extracted text of a source; marks and scrolls to the linked passage. */
export default function SourcePage() {
  const { t } = useTranslation();
  const nameOf = useCollectionName();
  const { collectionId, sourceId } = useParams({ from: '/shell/knowledge/$collectionId/sources/$sourceId' });
  const { from = 0, to = 0 } = useSearch({ from: '/shell/knowledge/$collectionId/sources/$sourceId' });
  const [text, instead] = ready(useQuery(sourceText(collectionId, sourceId)));
  const source = useQuery(sourcesOf(collectionId)).data?.items.find(({ id }) => id === sourceId);
  const collection = useQuery(collectionQuery(collectionId)).data;
  const lines = useMemo(() => text?.split('\n') ?? [], [text]);
  const marked = useMemo(() => (text && to > from ? linesOf(text, from, to) : null), [text, from, to]);
  if (instead) return instead;
  return (
    <>
      <PageHeader title={source?.title ?? source?.name ?? t('knowledge.source')}>
        <Anchor component={Link} to={`/knowledge/${collectionId}`}>
          {collection ? nameOf(collection) : t('knowledge.title')}
        </Anchor>
      </PageHeader>
      {source && (source.author ?? source.date ?? source.url) && (
        <Text size="sm" mb="sm">
          {[source.author, source.date].filter(Boolean).join(', ')}{' '}
          {source.url && (
            <Anchor href={source.url} size="sm" underline="always" target="_blank" rel="noreferrer noopener">
              {source.url}
            </Anchor>
          )}{' '}
          {source.fetched_at && t('cited.fetched', { date: source.fetched_at.slice(0, 10) })}
        </Text>
      )}
      {source && <EditReference source={source} />}
      {marked && (
        <Text size="sm" mb="sm" role="status">
          {t('knowledge.passageAt', { first: marked.first + 1, last: marked.last + 1 })}
        </Text>
      )}
      <NumberedLines lines={lines} marked={marked} />
    </>
  );
}

const ReferenceForm = lazyPart(() => import('./reference-form'));

function EditReference({ source }: { source: Source }) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  if (!useMay('write')) return null;
  return (
    <>
      <Button variant="default" size="xs" mb="sm" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {t('reference.edit')}
      </Button>
      {isOpen && <ReferenceForm source={source} onSaved={() => setIsOpen(false)} />}
    </>
  );
}

/** Returns the 0-based lines that contain characters `from` to `to` of a text. */
function linesOf(text: string, from: number, to: number): { first: number; last: number } {
  const lineAt = (place: number) => text.slice(0, place).split('\n').length - 1;
  return { first: lineAt(from), last: lineAt(Math.max(from, to - 1)) };
}

const LINE_HEIGHT = 22;

interface NumberedLinesProps {
  lines: readonly string[];
  /** The linked passage: its first line (0-based), which is scrolled to, and its last. */
  marked: { first: number; last: number } | null;
}

/** Shows a text line by line; renders only the visible lines. */
function NumberedLines({ lines, marked }: NumberedLinesProps) {
  const { t } = useTranslation();
  const focus = marked?.first;
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 20,
  });
  useEffect(() => {
    if (focus !== undefined && focus < lines.length) rows.scrollToIndex(focus, { align: 'center' });
  }, [focus, lines.length, rows]);
  return (
    <div
      ref={frame}
      className="verbatim scroll-frame"
      tabIndex={0}
      role="region"
      aria-label={t('knowledge.text')}
    >
      <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map((row) => (
          <div
            key={row.key}
            data-index={row.index}
            data-kind={marked && row.index >= marked.first && row.index <= marked.last ? 'marked' : undefined}
            ref={rows.measureElement}
            className="numbered-line"
            style={{ transform: `translateY(${row.start}px)` }}
          >
            <span className="line-number">{row.index + 1}</span>
            <span>{lines[row.index]}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
