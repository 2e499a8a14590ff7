import { useEffect, useRef, type KeyboardEvent, type SyntheticEvent } from 'react';
import { Text } from '@mantine/core';
import { manuscriptOf } from '../../../api/documents';
import { useTranslation } from '../../../i18n/i18n';
import { TextViews } from '../../../ui/reading/text-views';
import type { LineKind, LineMap } from './line-map';
import { useReady } from '../../../ui/frames';
import { lazyPart } from '../../../ui/lazy-part';

const Contents = lazyPart(() => import('../../../ui/reading/contents'), null);

interface ManuscriptPaneProps {
  sessionId: string;
  /** 1-based line that is chosen here or in another pane; a new object scrolls to it again. */
  choice: { manuscript: number | null };
  kinds: LineMap;
  /** Called with the lines of a block that the user chooses. */
  onChoose: (line: number, end: number) => void;
  /** Called with the words of the block of the chosen line. */
  onShown: (words: { text: string }) => void;
}

/** Shows the manuscript for reading, with its contents list; a selected part can be changed. */
export function ManuscriptPane({ sessionId, choice, kinds, onChoose, onShown }: ManuscriptPaneProps) {
  const { t } = useTranslation();
  const [data, instead] = useReady(manuscriptOf(sessionId));
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const host = frame.current;
    if (!host) return undefined;
    let chosen: HTMLElement | undefined;
    const mark = () => {
      const blocks = blocksOf(host);
      const next = choice.manuscript === null ? undefined : blockAt(blocks, choice.manuscript);
      for (const block of blocks) {
        const kind = kindOf(block, kinds);
        block.dataset['kind'] = kind ?? '';
        block.title = kind ? t(`lineKind.${kind}`) : '';
        // The arrow keys reach the other blocks; the Tab key also reaches those that scroll.
        if (!block.matches('pre, .reading-table')) block.tabIndex = block === (next ?? blocks[0]) ? 0 : -1;
      }
      if (next === chosen) return;
      chosen?.removeAttribute('data-chosen');
      chosen = next;
      next?.setAttribute('data-chosen', '');
      next?.scrollIntoView({ block: 'nearest' });
      onShown({ text: next?.textContent ?? '' });
    };
    mark();
    // Long texts are rendered part by part.
    const rendered = new MutationObserver(mark);
    rendered.observe(host, { childList: true, subtree: true });
    return () => {
      rendered.disconnect();
      chosen?.removeAttribute('data-chosen');
    };
  }, [choice, kinds, data, onShown, t]);
  if (instead) return instead;
  if (data === null) return <Text c="dimmed">{t('document.noManuscript')}</Text>;
  const choose = ({ target }: SyntheticEvent) => {
    const block = (target as Element).closest<HTMLElement>('[data-line], a, button');
    if (block?.dataset['line'] && getSelection()?.isCollapsed) onChoose(...linesOf(block));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const blocks = blocksOf(event.currentTarget);
    const at = blocks.indexOf(event.target as HTMLElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (at !== -1 && event.key === 'Enter') choose(event);
    if (at === -1 || step === undefined) return;
    event.preventDefault();
    blocks[at + step]?.focus();
  };
  return (
    <div ref={frame} className="manuscript-pane" onClick={choose} onKeyDown={onKeyDown}>
      <TextViews
        label={t('document.manuscript')}
        markdown={data}
        sessionId={sessionId}
        actions={<Contents markdown={data} onChoose={(line) => onChoose(line, line)} />}
        changeable={{ session_id: sessionId, of: 'document' }}
        comments={{ session_id: sessionId, of: 'document' }}
      />
    </div>
  );
}

const blocksOf = (frame: HTMLElement) => [...frame.querySelectorAll<HTMLElement>('[data-line]')];

const linesOf = ({ dataset: { line, end } }: HTMLElement): [number, number] => [Number(line), Number(end)];

/** Returns the first kind of a block's lines that is not carried. */
function kindOf(block: HTMLElement, kinds: LineMap): LineKind | undefined {
  const [first, last] = linesOf(block);
  for (let line = first; line <= last; line += 1) {
    const kind = kinds.kindOf(line);
    if (kind && kind !== 'carried') return kind;
  }
  return undefined;
}

/**
 * Returns the innermost block with a line, otherwise the last one before it. Footnotes are rendered last, wherever their
 * definitions are.
 */
function blockAt(blocks: readonly HTMLElement[], line: number): HTMLElement | undefined {
  const before = blocks.filter((each) => linesOf(each)[0] <= line);
  return (
    before.findLast((each) => line <= linesOf(each)[1]) ??
    before.findLast((each) => !each.closest('.reading-notes'))
  );
}
