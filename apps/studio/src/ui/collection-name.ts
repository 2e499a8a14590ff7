import { useTranslation } from '../i18n/i18n';
import type { Collection } from '../api/knowledge';

/** Name that the service gives to the collection of the texts that show the tenant's style. */
const STYLE_CORPUS = 'Style corpus';

/** Returns the displayed name of a collection; a book's collection is displayed with the title of the book. */
export function useCollectionName(): (
  collection: Pick<Collection, 'name' | 'purpose' | 'project_title'>,
) => string {
  const { t } = useTranslation();
  return ({ name, purpose, project_title: title }) => {
    if (title !== null)
      return t(purpose === 'memory' ? 'knowledge.chaptersOf' : 'knowledge.sourcesOf', { title });
    return purpose === 'style' && name === STYLE_CORPUS ? t('style.title') : name;
  };
}
