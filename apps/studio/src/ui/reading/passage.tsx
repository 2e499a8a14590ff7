import { lazy, Suspense } from 'react';
import { retryingImport } from '../../api/retrying-import';

const RenderedText = lazy(retryingImport(() => import('./rendered-text')));

/** Mark of a footnote's definition, at the beginning of a line. */
const DEFINITION = /^(\[\^[^\]\n]{1,100}\]):/gm;

interface PassageProps {
  markdown: string;
  /** Whether the Markdown is shown instead of the rendered text. */
  isSource: boolean;
  /** Session with the pictures of the text. */
  sessionId?: string | undefined;
}

/** Shows a paragraph or another part of a text, rendered for reading or as Markdown. */
export function Passage({ markdown, isSource, sessionId }: PassageProps) {
  const source = <div className="verbatim">{markdown}</div>;
  if (isSource) return source;
  return (
    <Suspense fallback={source}>
      <RenderedText
        label={null}
        markdown={withShownNotes(markdown)}
        {...(sessionId !== undefined && { sessionId })}
        fallback={source}
      />
    </Suspense>
  );
}

/** Keeps a passage of footnotes visible: without their references, the text would have no place to show them. */
const withShownNotes = (markdown: string): string =>
  markdown.startsWith('[^') ? markdown.replace(DEFINITION, '$1') : markdown;
