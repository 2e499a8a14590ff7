import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';

const LINE_HEIGHT = 22;

interface NumberedLinesProps {
  /** Name of the text, for screen readers. */
  label: string;
  lines: readonly string[];
  /** 0-based line to scroll to. */
  focus?: number | undefined;
  /** Returns the `data-kind` of a line (0-based) for the style sheet. */
  kindOf?: (line: number) => string | undefined;
}

/** Shows a text line by line; renders only the visible lines. */
export function NumberedLines({ label, lines, focus, kindOf }: NumberedLinesProps) {
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 20,
  });
  useEffect(() => {
    if (focus !== undefined && focus < lines.length) rows.scrollToIndex(focus, { align: 'center' });
  }, [focus, lines.length, rows]);
  return (
    <div ref={frame} className="verbatim scroll-frame" tabIndex={0} role="region" aria-label={label}>
      <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map((row) => (
          <div
            key={row.key}
            data-index={row.index}
            data-kind={kindOf?.(row.index)}
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
