import i18next from 'i18next';
import { useTranslation } from 'react-i18next';

/** What the service names; anything else, such as a file, is called as it is. */
const NAME = /^\w+$/;

/** How things that the service names are called; by their own name where a newer one has more of them. */
export function useRunWords() {
  const { t } = useTranslation();
  const word =
    (group: 'node' | 'stage' | 'question' | 'kind' | 'field' | 'choice') =>
    (name: string): string =>
      NAME.test(name) && i18next.exists(`${group}.${name}`) ? t(`${group}.${name}`) : name;
  return {
    node: word('node'),
    stage: word('stage'),
    question: word('question'),
    kind: word('kind'),
    field: word('field'),
    choice: word('choice'),
  };
}
