import { useSyncExternalStore } from 'react';
import { onPhrases, renderText, shownPhrases } from '../i18n/phrases';

/** Returns `renderText`, and renders the component again when the language changes or more texts are loaded. */
export function usePhrases(): typeof renderText {
  useSyncExternalStore(onPhrases, shownPhrases);
  return renderText;
}
