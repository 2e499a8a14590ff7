import { Button, CopyButton, Group, Stack, Text } from '@mantine/core';
import { lazy, Suspense, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/i18n';
import { retryingImport } from '../../api/retrying-import';
import type { Cited } from '../cited-source';
import { PageLoader } from '../page-loader';

const RenderedText = lazy(retryingImport(() => import('./rendered-text')));

/** Length in UTF-16 units above which only the source is shown: rendering would block the page. */
const MAX_RENDERED = 1_500_000;

interface TextViewsProps {
  label: string;
  markdown: string;
  /** Session with the pictures of the text. */
  sessionId: string;
  /** Sources by label of the footnote that cites them. */
  sources?: ReadonlyMap<string, Cited>;
  /** Further actions. */
  actions?: ReactNode;
}

/** Shows Markdown rendered for reading, line by line if it is too long; it can be searched, copied and printed. */
export function TextViews({ label, markdown, sessionId, sources, actions }: TextViewsProps) {
  const { t } = useTranslation();
  const isLong = markdown.length > MAX_RENDERED;
  const source = <SourceLines label={label} text={markdown} />;
  return (
    <Stack gap="sm">
      <Group gap="sm" className="no-print">
        <CopyButton value={markdown}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" onClick={copy}>
              {t(copied ? 'repurpose.copied' : 'reading.copy')}
            </Button>
          )}
        </CopyButton>
        <Button size="xs" variant="default" onClick={() => window.print()}>
          {t('reading.print')}
        </Button>
        {actions}
      </Group>
      {isLong && <Text c="dimmed">{t('reading.tooLong')}</Text>}
      {isLong ? (
        source
      ) : (
        <Suspense fallback={<PageLoader />}>
          <RenderedText
            label={label}
            markdown={markdown}
            sessionId={sessionId}
            {...(sources && { sources })}
            fallback={source}
          />
        </Suspense>
      )}
    </Stack>
  );
}

/** Number of lines that the browser lays out together. */
const BATCH = 200;
/** Longer texts are shown in blocks instead of lines, whose elements would need too much memory; they scroll sideways. */
const MAX_LINES = 50_000;

/** Shows a text line by line with numbers. The whole text is part of the page, for searching, copying and printing. */
function SourceLines({ label, text }: { label: string; text: string }) {
  const lines = text.split('\n');
  const starts = Array.from({ length: Math.ceil(lines.length / BATCH) }, (_, index) => index * BATCH);
  const Batch = lines.length > MAX_LINES ? Block : Lines;
  return (
    <div className="verbatim source-lines" role="region" aria-label={label} tabIndex={0}>
      {starts.map((start) => (
        <Batch key={start} start={start} lines={lines.slice(start, start + BATCH)} />
      ))}
    </div>
  );
}

interface BatchProps {
  /** 0-based number of the first line. */
  start: number;
  lines: readonly string[];
}

function Lines({ start, lines }: BatchProps) {
  return (
    <div className="source-batch">
      {lines.map((line, index) => (
        <div key={index} className="source-line">
          <span className="line-number" aria-hidden>
            {start + index + 1}
          </span>
          <span>{line === '' ? '\n' : line}</span>
        </div>
      ))}
    </div>
  );
}

function Block({ start, lines }: BatchProps) {
  return (
    <div className="source-batch source-block">
      <span className="line-number" aria-hidden>
        {lines.map((_, index) => start + index + 1).join('\n')}
      </span>
      <span>{lines.join('\n')}</span>
    </div>
  );
}
