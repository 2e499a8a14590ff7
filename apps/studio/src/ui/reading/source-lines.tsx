import { useEffect, useRef } from 'react';

/** Number of lines that the browser lays out together. */
const BATCH = 200;
/** Longer texts are shown in blocks instead of lines, whose elements would need too much memory; they scroll sideways. */
const MAX_LINES = 50_000;

interface SourceLinesProps {
  label: string;
  text: string;
  /** First and last line (0-based) of a passage to mark and to scroll to. */
  marked?: { first: number; last: number } | null;
}

/** Shows a text line by line with numbers. The whole text is part of the page, for searching, copying and printing. */
export function SourceLines({ label, text, marked = null }: SourceLinesProps) {
  const frame = useRef<HTMLDivElement>(null);
  const lines = text.split('\n');
  const starts = Array.from({ length: Math.ceil(lines.length / BATCH) }, (_, index) => index * BATCH);
  const Batch = lines.length > MAX_LINES ? Block : Lines;
  useEffect(() => {
    // Newer browsers return a promise, which an effect must not.
    void frame.current?.querySelector('[data-kind]')?.scrollIntoView({ block: 'center' });
  }, [marked]);
  return (
    <div ref={frame} className="verbatim source-lines" role="region" aria-label={label} tabIndex={0}>
      {starts.map((start) => (
        <Batch key={start} start={start} lines={lines.slice(start, start + BATCH)} marked={marked} />
      ))}
    </div>
  );
}

interface BatchProps extends Pick<SourceLinesProps, 'marked'> {
  /** 0-based number of the first line. */
  start: number;
  lines: readonly string[];
}

/** Returns whether a passage is in lines, as an attribute. */
const kindOf = (marked: SourceLinesProps['marked'], first: number, last: number) =>
  marked && marked.first <= last && first <= marked.last ? 'marked' : undefined;

function Lines({ start, lines, marked }: BatchProps) {
  return (
    <div className="source-batch">
      {lines.map((line, index) => (
        <div key={index} className="source-line" data-kind={kindOf(marked, start + index, start + index)}>
          <span className="line-number" aria-hidden>
            {start + index + 1}
          </span>
          <span>{line === '' ? '\n' : line}</span>
        </div>
      ))}
    </div>
  );
}

function Block({ start, lines, marked }: BatchProps) {
  return (
    <div className="source-batch source-block" data-kind={kindOf(marked, start, start + lines.length - 1)}>
      <span className="line-number" aria-hidden>
        {lines.map((_, index) => start + index + 1).join('\n')}
      </span>
      <span>{lines.join('\n')}</span>
    </div>
  );
}
