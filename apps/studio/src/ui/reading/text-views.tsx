import { SmallButton } from '../actions';
import { Group, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { ChangeableText } from '../../api/changes';
import type { CommentedText } from '../../api/comments';
import { useMay } from '../../api/session';
import { useTranslation } from '../../i18n/i18n';
import type { Cited } from '../cited-source';
import { CopyText } from '../copy-text';
import { lazyPart } from '../lazy-part';
import { SelectableText } from '../change-selection';
import { SourceLines } from './source-lines';

const RenderedText = lazyPart(() => import('./rendered-text'));
const Comments = lazyPart(() => import('../comments'));

/** Length in UTF-16 units above which only the source is shown: rendering would block the page. */
const MAX_RENDERED = 1_500_000;

interface TextViewsProps {
  label: string;
  markdown: string;
  /** Session with the pictures of the text. */
  sessionId: string;
  /** Sources by label of the footnote that cites them. */
  sources?: ReadonlyMap<string, Cited>;
  /** Further actions on the text for reading. */
  actions?: ReactNode;
  /** The stored text, if a selected part of it can be changed. */
  changeable?: ChangeableText | false;
  /** The text, if people can comment on it. */
  comments?: CommentedText | false;
}

/**
 * Shows Markdown rendered for reading, line by line if it is too long; it can be searched, copied and printed. On demand
 * it shows the Markdown itself, of which a selected part can be changed.
 */
export function TextViews(props: TextViewsProps) {
  const { label, markdown, sessionId, sources, actions, changeable, comments } = props;
  const { t } = useTranslation();
  // Once opened, the editor stays, with what the user wrote.
  const [isAsked, setAsked] = useState<boolean>();
  const [bar, setBar] = useState<HTMLElement | null>(null);
  const mayChange = useMay('write') && changeable;
  const isSelecting = mayChange && isAsked;
  const isLong = markdown.length > MAX_RENDERED;
  const source = <SourceLines label={label} text={markdown} />;
  const text = (
    <RenderedText {...{ label, markdown, sessionId }} {...(sources && { sources })} fallback={source} />
  );
  return (
    <Stack gap="sm">
      <Group ref={setBar} gap="xs" className="text-actions no-print">
        {mayChange && (
          <SmallButton
            label={t(isAsked ? 'selection.read' : 'selection.change')}
            onClick={() => setAsked(!isAsked)}
          />
        )}
        <CopyText text={markdown} />
        {!isSelecting && (
          <>
            <SmallButton label={t('reading.print')} onClick={() => window.print()} />
            {actions}
          </>
        )}
      </Group>
      {!isSelecting && isLong && <Text c="dimmed">{t('reading.tooLong')}</Text>}
      {mayChange && isAsked !== undefined && (
        <Stack gap="sm" display={isAsked ? undefined : 'none'}>
          <SelectableText text={mayChange} label={label} content={markdown} />
        </Stack>
      )}
      {!isSelecting && isLong && source}
      {!isSelecting &&
        !isLong &&
        (comments ? <Comments text={comments} {...{ markdown, bar }} children={text} /> : text)}
    </Stack>
  );
}
