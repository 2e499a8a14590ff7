import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { useEffect, useRef, type KeyboardEvent, type ReactNode, type RefObject } from 'react';

interface ListboxOptions {
  count: number;
  /** Height in pixels, equal for all rows. */
  rowHeight: number;
  /** Chosen row (0-based); -1 for none. */
  chosen: number;
  onChoose: (row: number) => void;
  /** Scroll position of a newly chosen row. */
  align?: 'auto' | 'center';
}

interface Listbox {
  frame: RefObject<HTMLDivElement | null>;
  /** Total height of all rows in pixels. */
  height: number;
  /** The visible rows and some around them. */
  rows: VirtualItem[];
  onKeyDown: (event: KeyboardEvent) => void;
}

const PAGE = 20;
const OVERSCAN = 20;
const KEYS: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: PAGE,
  PageUp: -PAGE,
  Home: -Infinity,
  End: Infinity,
};

/**
 * Rows of equal height that can be chosen by click and key. Renders only the visible ones, so that millions
 * scroll smoothly.
 */
export function useVirtualListbox({
  count,
  rowHeight,
  chosen,
  onChoose,
  align = 'auto',
}: ListboxOptions): Listbox {
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
  return { frame, height: rows.getTotalSize(), rows: rows.getVirtualItems(), onKeyDown };
}

interface ListboxFrameProps {
  list: Listbox;
  label: string;
  /** Id of the element that shows the chosen row. */
  activeId: string | undefined;
  className?: string;
  children: ReactNode;
}

/** Scroll container of a listbox's rows. */
export function ListboxFrame({ list, label, activeId, className = '', children }: ListboxFrameProps) {
  return (
    <div
      ref={list.frame}
      className={`scroll-frame ${className}`}
      role="listbox"
      aria-label={label}
      aria-activedescendant={activeId}
      tabIndex={0}
      onKeyDown={list.onKeyDown}
    >
      <div style={{ height: list.height, position: 'relative' }} role="presentation">
        {children}
      </div>
    </div>
  );
}
