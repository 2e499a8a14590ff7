import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { keepLanguage, messagesOf, type Language } from './language';

/** Takes the messages of a language up; nothing can be shown before. */
export async function showMessages(language: Language, messages: object): Promise<void> {
  await i18next.use(initReactI18next).init({
    resources: { [language]: { translation: messages } },
    lng: language,
    // React escapes what it shows.
    interpolation: { escapeValue: false },
  });
}

/** Shows every page in another language, now and next time. */
export async function changeLanguage(to: Language): Promise<void> {
  keepLanguage(to);
  i18next.addResourceBundle(to, 'translation', await messagesOf(to));
  await i18next.changeLanguage(to);
}
