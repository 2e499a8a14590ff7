import { useSyncExternalStore } from 'react';
import { retryingImport } from '../api/retrying-import';
import { keepLanguage, readersLanguage, textsOf, type Language } from './language';
import { messageOf, type MessageParams, type Messages } from './messages';
import { loadPhrases } from './phrases';

/**
 * Returns the message with a key such as `run.title`, which is empty while its group is being loaded. For an unknown
 * message of a group, returns `defaultValue` or the key.
 */
export type Translate = (key: string, params?: MessageParams & { defaultValue?: string }) => string;

interface Shown {
  language: Language;
  t: Translate;
}

const loaded: Partial<Record<Language, Messages>> = {};
const rests: Partial<Record<Language, Promise<void>>> = {};
const listeners = new Set<() => void>();
let shown: Shown;

/** Renders the component again when another language or further texts are shown. */
export const useTranslation = (): Shown => useSyncExternalStore(subscribe, () => shown);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the language of the pages. */
export const shownLanguage = (): Language => shown.language;

/** Adds messages, and shows them if they are in the user's language. Nothing can be shown before the first ones. */
export function addMessages(language: Language, messages: Messages): void {
  loaded[language] = { ...loaded[language], ...messages };
  showTexts();
}

/** Shows what is loaded in the user's language, if that is anything. */
export function showTexts(): void {
  const language = readersLanguage();
  const messages = loaded[language];
  if (!messages) return;
  shown = { language, t: translator(language, messages) };
  for (const listener of listeners) listener();
}

const translator =
  (language: Language, messages: Messages): Translate =>
  (key, { defaultValue = key, ...params } = {}) => {
    const text = messageOf(messages, language, key, params);
    if (text !== null) return text;
    if (Object.hasOwn(messages, key.split('.')[0]!)) return defaultValue;
    void loadRest().catch(() => undefined);
    return '';
  };

/**
 * Loads, once, the messages that the first page does not need.
 *
 * @throws Error if they cannot be loaded
 */
export function loadRest(): Promise<void> {
  const language = readersLanguage();
  return (rests[language] ??= fetchRest(language));
}

async function fetchRest(language: Language): Promise<void> {
  try {
    addMessages(language, await retryingImport(() => textsOf(language, 'rest'))());
  } catch (error) {
    delete rests[language];
    throw error;
  }
}

/** Switches to another language and stores the choice. */
export async function changeLanguage(to: Language): Promise<void> {
  const [first, rest] = await Promise.all([textsOf(to, 'first'), textsOf(to, 'rest'), loadPhrases(to)]);
  keepLanguage(to);
  addMessages(to, { ...first, ...rest });
}
