import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/i18n';
import type { Cited } from '../cited-source';
import { CopyText } from '../copy-text';
import { lazyPart } from '../lazy-part';
import { SourceLines } from './source-lines';

const RenderedText = lazyPart(() => import('./rendered-text'));

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
        <CopyText text={markdown} />
        <Button size="xs" variant="default" onClick={() => window.print()}>
          {t('reading.print')}
        </Button>
        {actions}
      </Group>
      {isLong && <Text c="dimmed">{t('reading.tooLong')}</Text>}
      {isLong ? (
        source
      ) : (
        <RenderedText {...{ label, markdown, sessionId }} {...(sources && { sources })} fallback={source} />
      )}
    </Stack>
  );
}
