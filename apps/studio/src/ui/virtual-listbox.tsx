import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type HTMLAttributes, type KeyboardEvent, type ReactNode } from 'react';

/** What a row shows, and its other attributes. */
interface Row extends Omit<HTMLAttributes<HTMLDivElement>, 'children'> {
  id: string;
  children: ReactNode;
}

interface VirtualListboxProps {
  label: string;
  count: number;
  /** Height in pixels, equal for all rows unless they wrap. */
  rowHeight: number;
  /** Whether long rows take several lines; every row is then measured when it is shown. */
  wraps?: boolean;
  /** Chosen row (0-based); -1 for none. */
  chosen: number;
  onChoose: (row: number) => void;
  /** Scroll position of a newly chosen row. */
  align?: 'auto' | 'center';
  className?: string;
  row: (index: number) => Row;
}

/** Number of recycled rows; more than are ever visible. */
const ROWS = 256;
const PAGE = 20;
const OVERSCAN = 20;
const KEYS: Record<string, number> = {
  ...{ ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE, Home: -Infinity, End: Infinity },
};

/**
 * Rows that can be chosen by click and key. Renders only the visible ones, so that millions of equal height scroll
 * smoothly.
 */
export function VirtualListbox(props: VirtualListboxProps) {
  const { label, count, rowHeight, chosen, onChoose, align = 'auto', className = '', row } = props;
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    useFlushSync: false,
  });
  useEffect(() => {
    if (chosen >= 0) rows.scrollToIndex(chosen, { align });
  }, [align, chosen, rows]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = KEYS[event.key];
    if (step === undefined || count === 0) return;
    event.preventDefault();
    onChoose(Math.min(count - 1, Math.max(0, chosen + step)));
  };
  return (
    <div
      ref={frame}
      className={`scroll-frame ${className}`}
      data-wraps={props.wraps || undefined}
      role="listbox"
      aria-label={label}
      aria-activedescendant={chosen >= 0 && chosen < count ? row(chosen).id : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div style={{ height: rows.getTotalSize(), position: 'relative' }} role="presentation">
        {rows.getVirtualItems().map(({ index, start }) => (
          <div
            // A recycled row would not be measured again.
            key={props.wraps ? index : index % ROWS}
            ref={props.wraps ? rows.measureElement : undefined}
            data-index={index}
            role="option"
            aria-selected={index === chosen}
            style={{ transform: `translateY(${start}px)` }}
            onClick={() => onChoose(index)}
            {...row(index)}
          />
        ))}
      </div>
    </div>
  );
}
