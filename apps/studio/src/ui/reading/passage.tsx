import { lazy, Suspense } from 'react';
import { retryingImport } from '../../api/retrying-import';

const RenderedText = lazy(retryingImport(() => import('./rendered-text')));

interface PassageProps {
  markdown: string;
  /** Whether the Markdown is shown instead of the rendered text. */
  isSource?: boolean;
  /** Session with the pictures of the text. */
  sessionId?: string | undefined;
}

/** Shows a paragraph or another part of a text, rendered for reading or as Markdown. */
export function Passage({ markdown, isSource = false, sessionId }: PassageProps) {
  const source = <div className="verbatim">{markdown}</div>;
  if (isSource) return source;
  return (
    <Suspense fallback={source}>
      <RenderedText
        label={null}
        markdown={markdown}
        {...(sessionId !== undefined && { sessionId })}
        fallback={source}
      />
    </Suspense>
  );
}
