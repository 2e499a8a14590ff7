import { Passage } from './reading/passage';

interface BeforeAfterProps {
  before: string;
  after: string;
  /** Whether Markdown is shown instead of the rendered text. */
  isSource?: boolean;
  /** Session with the pictures of the text. */
  sessionId?: string | undefined;
}

/**
 * Shows a paragraph before and after a change; an empty side means that it was added or removed as a whole.
 */
export function BeforeAfter({ before, after, ...view }: BeforeAfterProps) {
  return (
    <div className="before-after">
      {before && (
        <div className="diff-line" data-kind="removed">
          <Passage markdown={before} {...view} />
        </div>
      )}
      {after && (
        <div className="diff-line" data-kind="added">
          <Passage markdown={after} {...view} />
        </div>
      )}
    </div>
  );
}
