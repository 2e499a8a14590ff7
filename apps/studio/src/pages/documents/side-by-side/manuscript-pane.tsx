import { lazy, Suspense, useEffect, useRef, type MouseEvent } from 'react';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { manuscriptOf } from '../../../api/documents';
import { isBlockingError } from '../../../api/query-client';
import { retryingImport } from '../../../api/retrying-import';
import { useTranslation } from '../../../i18n/i18n';
import { ChangeableText } from '../../../ui/changeable-text';
import { PageLoader } from '../../../ui/page-loader';
import { ProblemAlert } from '../../../ui/problem-alert';
import { TextViews } from '../../../ui/reading/text-views';

const Contents = lazy(retryingImport(() => import('../../../ui/reading/contents')));

interface ManuscriptPaneProps {
  sessionId: string;
  /** 1-based line that is chosen here or in another pane. */
  selected?: number | null;
  /** Called with the lines of a block that the user chooses. */
  onChoose?: (line: number, end: number) => void;
  /** Called with the words of the block of the chosen line, when it changes. */
  onShown?: (text: string) => void;
}

/** Shows the manuscript for reading, with its contents list; a selected part can be changed. */
export function ManuscriptPane({ sessionId, selected = null, onChoose, onShown }: ManuscriptPaneProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(manuscriptOf(sessionId));
  const frame = useRef<HTMLDivElement>(null);
  const show = (line: number) => showBlock(frame.current, line);
  useEffect(() => {
    if (selected === null || data === undefined) return undefined;
    const chosen = showBlock(frame.current, selected);
    chosen?.setAttribute('data-chosen', '');
    onShown?.(chosen?.textContent ?? '');
    return () => chosen?.removeAttribute('data-chosen');
  }, [selected, data, onShown]);
  if (isBlockingError(error, data)) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <PageLoader />;
  if (data === null) return <Text c="dimmed">{t('document.noManuscript')}</Text>;
  const choose = ({ target }: MouseEvent) => {
    const block = (target as Element).closest<HTMLElement>('[data-line]');
    if (block && getSelection()?.isCollapsed) onChoose?.(...linesOf(block));
  };
  return (
    <div ref={frame} className="manuscript-pane" onClick={choose}>
      <ChangeableText
        text={{ session_id: sessionId, of: 'document' }}
        label={t('document.manuscript')}
        content={data}
      >
        <TextViews
          label={t('document.manuscript')}
          markdown={data}
          sessionId={sessionId}
          actions={
            <Suspense>
              <Contents markdown={data} onChoose={onChoose ? (line) => onChoose(line, line) : show} />
            </Suspense>
          }
        />
      </ChangeableText>
    </div>
  );
}

const linesOf = ({ dataset: { line, end } }: HTMLElement): [number, number] => [Number(line), Number(end)];

/**
 * Scrolls to the innermost block with a line, otherwise to the last one before it, and returns it. Footnotes are rendered
 * last, wherever their definitions are.
 */
function showBlock(frame: HTMLElement | null, line: number): HTMLElement | undefined {
  const blocks = [...(frame?.querySelectorAll<HTMLElement>('[data-line]') ?? [])].filter(
    (each) => linesOf(each)[0] <= line,
  );
  const block =
    blocks.findLast((each) => line <= linesOf(each)[1]) ??
    blocks.findLast((each) => !each.closest('.reading-notes'));
  block?.scrollIntoView({ block: 'nearest' });
  return block;
}
