import words from './synonyms.json' with { type: 'json' };

/**
 * Words by which people ask for the platform's tools and that their descriptions do not contain. A word belongs to
 * the tool that does the work, not to tools that prepare it. German and Polish words have the forms that requests
 * have, because the index stems English only.
 */
const LISTS: Partial<Record<string, string>>[] = [words.english, words.germanAndPolish];

/** Returns the words by which requests in three languages name a tool; may be empty. */
export const synonymsOf = (name: string): string =>
  LISTS.flatMap((list) => (Object.hasOwn(list, name) ? list[name]! : [])).join(' ');
