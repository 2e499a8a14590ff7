import { NumberedLines } from '../numbered-lines';

/** Number of lines that the browser lays out together. */
const BATCH = 200;
/** Longer texts are rendered only where they are visible. */
const MAX_LINES = 50_000;

/** Shows a text line by line with numbers. The whole text is part of the page unless it is very long. */
export function SourceLines({ label, text }: { label: string; text: string }) {
  const lines = text.split('\n');
  if (lines.length > MAX_LINES) return <NumberedLines label={label} lines={lines} />;
  const starts = Array.from({ length: Math.ceil(lines.length / BATCH) }, (_, index) => index * BATCH);
  return (
    <div className="verbatim source-lines" role="region" aria-label={label} tabIndex={0}>
      {starts.map((start) => (
        <div key={start} className="source-batch">
          {lines.slice(start, start + BATCH).map((line, index) => (
            <div key={index} className="source-line">
              <span className="line-number" aria-hidden>
                {start + index + 1}
              </span>
              <span>{line === '' ? '\n' : line}</span>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
