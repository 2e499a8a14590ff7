import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { keepLanguage, messagesOf, type Language } from './language';
import { showPhrases } from './phrases';

/** Initialises i18next with the messages of a language; nothing can be shown before. */
export async function showMessages(language: Language, messages: object): Promise<void> {
  await i18next.use(initReactI18next).init({
    resources: { [language]: { translation: messages } },
    lng: language,
    // React escapes text itself.
    interpolation: { escapeValue: false },
  });
}

/** Switches to another language and stores the choice. */
export async function changeLanguage(to: Language): Promise<void> {
  keepLanguage(to);
  const [messages] = await Promise.all([messagesOf(to), showPhrases(to)]);
  i18next.addResourceBundle(to, 'translation', messages);
  await i18next.changeLanguage(to);
}
