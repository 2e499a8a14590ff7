import { useQueries } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { LINES_A_PAGE, linesOf } from '../../../api/ledger';
import type { LineMap } from './line-map';

const LINE_HEIGHT = 22;

interface LinePaneProps {
  label: string;
  sessionId: string;
  /** The name of an input; null for the manuscript. */
  input: string | null;
  total: number;
  map: LineMap;
  /** The line, from 1, that is chosen here or belongs to the one that is chosen on the other side. */
  selected: number | null;
  onSelect: (line: number) => void;
  /** How each kind is called, for those who hear the page. */
  kindLabel: (kind: string) => string;
}

/** One text of the ledger; its lines are read and shown as they come into view, whatever its length. */
export function LinePane(props: LinePaneProps) {
  const { label, total, map, selected, onSelect } = props;
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => frame.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 30,
  });
  const visible = rows.getVirtualItems();
  const lineAt = useLines(props, visible[0]?.index ?? 0, visible.at(-1)?.index ?? 0);
  useEffect(() => {
    if (selected !== null) rows.scrollToIndex(selected - 1, { align: 'center' });
  }, [selected, rows]);
  const byKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onSelect(Math.min(total, Math.max(1, (selected ?? 0) + step)));
  };
  return (
    <div
      ref={frame}
      className="verbatim scroll-frame line-pane"
      role="listbox"
      aria-label={label}
      aria-activedescendant={selected === null ? undefined : `${label}-${selected}`}
      tabIndex={0}
      onKeyDown={byKey}
    >
      <div style={{ height: rows.getTotalSize(), position: 'relative' }} role="presentation">
        {visible.map((row) => {
          const line = row.index + 1;
          const kind = map.kindOf(line);
          return (
            <div
              key={row.key}
              id={`${label}-${line}`}
              role="option"
              aria-selected={line === selected}
              className="pane-line"
              data-kind={kind}
              title={kind && props.kindLabel(kind)}
              style={{ transform: `translateY(${row.start}px)` }}
              onClick={() => onSelect(line)}
            >
              <span className="line-number">{line}</span>
              <span>{lineAt(row.index)}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Reads the pages that the lines in view, from 0, lie in. */
function useLines({ sessionId, input, total }: LinePaneProps, first: number, last: number) {
  const from = Math.floor(first / LINES_A_PAGE);
  const to = total === 0 ? from - 1 : Math.floor(last / LINES_A_PAGE);
  const pages = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const read = useQueries({ queries: pages.map((page) => linesOf(sessionId, input, page)) });
  return (index: number): string => {
    const page = read[Math.floor(index / LINES_A_PAGE) - from]?.data;
    return page === undefined ? '…' : (page[index % LINES_A_PAGE] ?? '');
  };
}
