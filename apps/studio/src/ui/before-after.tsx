/** A paragraph as it was and as it is to be; what is empty was added or removed whole. */
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
