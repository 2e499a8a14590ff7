import type { Phrase } from '#contracts/phrases/render.js';
import { useEffect } from 'react';
import { showTexts, useTranslation } from '../i18n/i18n';
import { loadPhrases, renderText } from '../i18n/phrases';

/** Returns a function that renders a phrase in the language of the pages, or the English text if it has none. */
export function usePhrases(): (phrase: Phrase | null | undefined, english: string) => string {
  const { language } = useTranslation();
  useEffect(() => {
    // Every page but the first loads them before it is shown.
    void loadPhrases(language).then(showTexts);
  }, [language]);
  return (phrase, english) => renderText(language, phrase, english);
}

/** Pattern of the service's names; anything else, such as a file name, is shown unchanged. */
const NAME = /^\w+$/;

/**
 * Returns the display names of the service's terms; unknown ones, from a newer service, are shown unchanged.
 */
export function useRunWords() {
  const { t } = useTranslation();
  const word =
    (group: 'node' | 'stage' | 'question' | 'waiting' | 'kind' | 'field' | 'choice' | 'phase' | 'tool') =>
    (name: string): string =>
      NAME.test(name) ? t(`${group}.${name}`, { defaultValue: name }) : name;
  const nameOfNode = (name: string): string => (word('node')(name) === name ? '' : word('node')(name));
  return {
    node: word('node'),
    stage: word('stage'),
    question: word('question'),
    /** Returns what a question asks a person to do, for lists of questions. */
    waiting: word('waiting'),
    kind: word('kind'),
    field: word('field'),
    choice: word('choice'),
    /** Returns what a built-in tool does; empty for the tools of MCP servers. */
    tool: (name: string): string => (word('tool')(name) === name ? '' : word('tool')(name)),
    /** Returns the label of a phase of a run's progress; empty if it is unknown. */
    phase: (name: string): string => {
      const shown = word('phase')(name);
      return shown === name ? nameOfNode(name) : shown;
    },
  };
}
