/**
 * A text with placeholders such as `{name}`, or its plural forms, of which the parameter `count` chooses one. `zero` is
 * the text for 0.
 */
export type PhraseText = string | (Partial<Record<Intl.LDMLPluralRule, string>> & { other: string });

/** Texts of a language by code. */
export type PhraseCatalogue = Readonly<Record<string, PhraseText>>;

/**
 * Code and parameters of a text that people read, which programs can show in their user's language. A type, not an
 * interface, so that it is assignable to the JSON of a column.
 */
export type Phrase = { code: string; params: Record<string, PhraseParam> };

/** A value, or a part of the text that depends on the language. */
export type PhraseParam = string | number | Phrase;

/**
 * Returns the text of a phrase in the language of the catalogue.
 *
 * @param language BCP 47 tag of the catalogue's language
 * @param show writes the value of a parameter
 * @returns null if the catalogue does not contain the code, for example because the server is newer
 */
export function renderPhrase(
  catalogue: PhraseCatalogue,
  language: string,
  { code, params }: Phrase,
  show: (value: string | number, name: string) => string = String,
): string | null {
  if (!Object.hasOwn(catalogue, code)) return null;
  const values: Record<string, string> = {};
  for (const [name, param] of Object.entries(params)) {
    const value =
      typeof param === 'object' ? renderPhrase(catalogue, language, param, show) : show(param, name);
    if (value === null) return null;
    values[name] = value;
  }
  return formOf(catalogue[code]!, language, Number(params['count'])).replace(
    /\{(\w+)\}/g,
    (all, name: string) => (Object.hasOwn(values, name) ? values[name]! : all),
  );
}

/** Returns the form of a text for a count. */
function formOf(text: PhraseText, language: string, count: number): string {
  if (typeof text === 'string') return text;
  if (count === 0 && text.zero !== undefined) return text.zero;
  return text[new Intl.PluralRules(language).select(count)] ?? text.other;
}
