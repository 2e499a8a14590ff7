import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { manuscriptOf } from '../../api/documents';
import { ProblemAlert } from '../../ui/problem-alert';

const LINE_HEIGHT = 22;

/** The manuscript's markdown line by line; only the lines in view are in the page, whatever its length. */
export default function Manuscript({ sessionId }: { sessionId: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(manuscriptOf(sessionId));
  const lines = useMemo(() => data?.split('\n') ?? [], [data]);
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 20,
  });
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (data === null) return <Text c="dimmed">{t('document.noManuscript')}</Text>;
  return (
    <div
      ref={frame}
      className="verbatim scroll-frame"
      tabIndex={0}
      role="region"
      aria-label={t('document.manuscript')}
    >
      <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map((row) => (
          <div
            key={row.key}
            data-index={row.index}
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
