/** Messages by group and name. The names of plural forms end with their category, such as `_one`. */
export interface Messages {
  [name: string]: string | Messages;
}

/** Values of placeholders such as `{{name}}`. A number `count` also chooses the plural form, and is grouped: 1,234. */
export type MessageParams = Record<string, string | number | null | undefined>;

/**
 * Returns the text of a message.
 *
 * @param language BCP 47 tag of the messages' language
 * @param key group and name, separated by dots
 * @returns null if there is no such message
 */
export function messageOf(
  messages: Messages,
  language: string,
  key: string,
  params: MessageParams = {},
): string | null {
  const names = key.split('.');
  const last = names.pop()!;
  const group = names.reduce<Messages[string] | undefined>(memberOf, messages);
  const text = formsOf(last, language, params['count'])
    .map((name) => memberOf(group, name))
    .find((member) => typeof member === 'string');
  if (text === undefined) return null;
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
    const value = params[name] ?? placeholder;
    return name === 'count' && typeof value === 'number' ? value.toLocaleString(language) : String(value);
  });
}

function memberOf(group: Messages[string] | undefined, name: string): Messages[string] | undefined {
  return typeof group === 'object' && Object.hasOwn(group, name) ? group[name] : undefined;
}

/** Returns the names under which a message may be stored; `_zero` is a special text for 0 in any language. */
function formsOf(name: string, language: string, count: MessageParams[string]): string[] {
  if (typeof count !== 'number') return [name];
  const plural = `${name}_${new Intl.PluralRules(language).select(count)}`;
  return count === 0 ? [`${name}_zero`, plural, name] : [plural, name];
}
