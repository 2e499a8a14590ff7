import { lazy, Suspense } from 'react';
import { retryingImport } from '../../api/retrying-import';
import type { Cited } from '../cited-source';

const RenderedText = lazy(retryingImport(() => import('./rendered-text')));

interface PassageProps {
  /** Name of the text's region; a part of a text has none. */
  label?: string;
  /** Sources by label of the footnote that cites them. */
  sources?: ReadonlyMap<string, Cited>;
  markdown: string;
  /** Session with the pictures of the text. */
  sessionId?: string | undefined;
}

/** Shows a paragraph or another part of a text, rendered for reading. */
export function Passage({ markdown, label, sources, sessionId }: PassageProps) {
  const source = <div className="verbatim">{markdown}</div>;
  return (
    <Suspense fallback={source}>
      <RenderedText
        label={label ?? null}
        markdown={markdown}
        {...(sessionId !== undefined && { sessionId })}
        {...(sources && { sources })}
        fallback={source}
      />
    </Suspense>
  );
}
