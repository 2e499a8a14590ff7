import { useTranslation } from 'react-i18next';

/** How nodes of graphs, questions and kinds of runs are called; by their own name where a newer service has more of them. */
export function useRunWords() {
  const { t } = useTranslation();
  const word = (group: 'node' | 'stage' | 'question' | 'kind') => (name: string) =>
    t(`${group}.${name}`, { defaultValue: name });
  return { node: word('node'), stage: word('stage'), question: word('question'), kind: word('kind') };
}
