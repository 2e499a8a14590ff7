/** Number of lines that the browser lays out together. */
const BATCH = 200;
/** Longer texts are shown in blocks instead of lines, whose elements would need too much memory; they scroll sideways. */
const MAX_LINES = 50_000;

/** Shows a text line by line with numbers. The whole text is part of the page, for searching, copying and printing. */
export function SourceLines({ label, text }: { label: string; text: string }) {
  const lines = text.split('\n');
  const starts = Array.from({ length: Math.ceil(lines.length / BATCH) }, (_, index) => index * BATCH);
  const Batch = lines.length > MAX_LINES ? Block : Lines;
  return (
    <div className="verbatim source-lines" role="region" aria-label={label} tabIndex={0}>
      {starts.map((start) => (
        <Batch key={start} start={start} lines={lines.slice(start, start + BATCH)} />
      ))}
    </div>
  );
}

interface BatchProps {
  /** 0-based number of the first line. */
  start: number;
  lines: readonly string[];
}

function Lines({ start, lines }: BatchProps) {
  return (
    <div className="source-batch">
      {lines.map((line, index) => (
        <div key={index} className="source-line">
          <span className="line-number" aria-hidden>
            {start + index + 1}
          </span>
          <span>{line === '' ? '\n' : line}</span>
        </div>
      ))}
    </div>
  );
}

function Block({ start, lines }: BatchProps) {
  return (
    <div className="source-batch source-block">
      <span className="line-number" aria-hidden>
        {lines.map((_, index) => start + index + 1).join('\n')}
      </span>
      <span>{lines.join('\n')}</span>
    </div>
  );
}
