import { useTranslation } from 'react-i18next';
import { renderText } from '../i18n/phrases';

/** Returns `renderText`, and renders the component again when the language changes. */
export function usePhrases(): typeof renderText {
  useTranslation();
  return renderText;
}
