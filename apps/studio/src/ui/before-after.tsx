/**
 * Shows a paragraph before and after a change; an empty side means that it was added or removed as a whole.
 */
export function BeforeAfter({ before, after }: { before: string; after: string }) {
  return (
    <div>
      {before && (
        <div className="verbatim diff-line" data-kind="removed">
          {before}
        </div>
      )}
      {after && (
        <div className="verbatim diff-line" data-kind="added">
          {after}
        </div>
      )}
    </div>
  );
}
