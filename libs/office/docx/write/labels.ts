import labels from './labels.json' with { type: 'json' };

/** Texts that the writer itself adds. */
export type Labels = typeof labels.en;

/** Returns the labels for a BCP 47 language tag; English for languages without labels. */
export function labelsFor(language: string): Labels {
  const primary = language.toLowerCase().split('-')[0]!;
  return Object.hasOwn(labels, primary) ? labels[primary as keyof typeof labels] : labels.en;
}

/** Returns the heading of a part of a table that is too wide for a page. */
export const columnsLabel = (
  { columns }: Labels,
  { first, last, all }: { first: number; last: number; all: number },
): string => columns.replace('{first}', `${first}`).replace('{last}', `${last}`).replace('{all}', `${all}`);
