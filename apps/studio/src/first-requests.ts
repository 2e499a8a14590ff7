import { queryClient } from './api/query-client';
import { sessionQuery } from './api/session';
import { readersLanguage, textsOf } from './i18n/language';

/**
 * Requests that every page needs, sent before the rest of the program runs: the messages of the user's
 * language, and the session.
 */
export const language = readersLanguage();
document.documentElement.lang = language;
export const firstMessages = textsOf(language, 'first');
void queryClient.prefetchQuery(sessionQuery);
