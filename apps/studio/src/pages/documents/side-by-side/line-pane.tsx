import { useQueries } from '@tanstack/react-query';
import { LINES_A_PAGE, linesOf } from '../../../api/ledger';
import { ListboxFrame, useVirtualListbox } from '../../../ui/virtual-listbox';
import type { LineMap } from './line-map';

const LINE_HEIGHT = 22;

interface LinePaneProps {
  label: string;
  sessionId: string;
  /** Name of an input; null for the manuscript. */
  input: string | null;
  total: number;
  map: LineMap;
  /** 1-based line that is chosen here, or the counterpart of the line chosen on the other side. */
  selected: number | null;
  onSelect: (line: number) => void;
  /** Returns the name of a kind for screen readers. */
  kindLabel: (kind: string) => string;
}

/** Shows one text of the ledger; lines are fetched and rendered as they come into view. */
export function LinePane(props: LinePaneProps) {
  const { label, total, map, selected, onSelect } = props;
  const list = useVirtualListbox({
    count: total,
    rowHeight: LINE_HEIGHT,
    chosen: selected === null ? -1 : selected - 1,
    onChoose: (row) => onSelect(row + 1),
    align: 'center',
  });
  const lineAt = useLines(props, list.rows[0]?.index ?? 0, list.rows.at(-1)?.index ?? 0);
  return (
    <ListboxFrame
      list={list}
      label={label}
      activeId={selected === null ? undefined : `${label}-${selected}`}
      className="verbatim line-pane"
    >
      {list.rows.map(({ key, index, start }) => {
        const line = index + 1;
        const kind = map.kindOf(line);
        return (
          <div
            key={key}
            id={`${label}-${line}`}
            role="option"
            aria-selected={line === selected}
            className="pane-line"
            data-kind={kind}
            title={kind && props.kindLabel(kind)}
            style={{ transform: `translateY(${start}px)` }}
            onClick={() => onSelect(line)}
          >
            <span className="line-number">{line}</span>
            <span>{lineAt(index)}</span>
          </div>
        );
      })}
    </ListboxFrame>
  );
}

/** Fetches the pages of the visible lines (0-based). */
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
