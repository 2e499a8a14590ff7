import { queryClient } from './api/query-client';
import { sessionQuery } from './api/session';
import { messagesOf, readersLanguage } from './i18n/language';
import { showPhrases } from './i18n/phrases';

/**
 * Requests that every page needs, sent before the rest of the program runs: the messages of the user's
 * language, and the session.
 */
export const language = readersLanguage();
document.documentElement.lang = language;
export const firstMessages = messagesOf(language);
export const firstPhrases = showPhrases(language);
void queryClient.prefetchQuery(sessionQuery);
