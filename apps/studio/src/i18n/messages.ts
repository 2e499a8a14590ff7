import { renderPhrase, type Phrase, type PhraseCatalogue } from '#contracts/phrases/render.js';

/** Messages by group and name. */
export type Messages = Readonly<Record<string, PhraseCatalogue>>;

/** Values of placeholders. A number `count` also chooses the plural form, and is grouped: 1,234. */
export type MessageParams = Record<string, string | number | null | undefined>;

/**
 * Returns the text of a message.
 *
 * @param language BCP 47 tag of the messages' language
 * @param key group and name, separated by a dot
 * @returns null if there is no such message
 */
export function messageOf(
  messages: Messages,
  language: string,
  key: string,
  params: MessageParams = {},
): string | null {
  const [group = '', ...names] = key.split('.');
  if (!Object.hasOwn(messages, group)) return null;
  const given = Object.entries(params).filter(([, value]) => value != null) as [string, string | number][];
  const phrase: Phrase = { code: names.join('.'), params: Object.fromEntries(given) };
  return renderPhrase(messages[group]!, language, phrase, (value, name) =>
    name === 'count' ? value.toLocaleString(language) : String(value),
  );
}
