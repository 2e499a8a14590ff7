import { queryClient } from './api/query-client';
import { sessionQuery } from './api/session';
import { messagesOf, readersLanguage } from './i18n/language';

/**
 * What every page waits for, asked for before the rest of the program has run: the messages of the reader's language, and who is
 * signed in.
 */
export const language = readersLanguage();
document.documentElement.lang = language;
export const firstMessages = messagesOf(language);
void queryClient.prefetchQuery(sessionQuery);
