/** The share of source lines that the manuscript carries, as it stands in the document's properties (X1). */
export function coverageText(coverage: number | null): string {
  if (coverage === null) return 'not measured';
  // Rounded down: only a complete manuscript may say 100 %.
  return `${(Math.floor(coverage * 10_000) / 100).toFixed(2).replace(/\.00$/, '')} %`;
}
